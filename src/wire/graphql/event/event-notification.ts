import {GraphQLBoolean, GraphQLNonNull, GraphQLObjectType, GraphQLString} from 'graphql';
import type {Json} from '../../../base/json.ts';
import {formatPlace} from '../../../domain/event/event-place.ts';
import type {EventAttribute, EventEdge, GraphEvent} from '../../../domain/event/graph-event.ts';
import type {AttributeState} from '../../../domain/graph/node.ts';
import {formatInstant} from '../../../domain/time/instant.ts';
import type {FieldContext} from '../engine.ts';
import {DateTimeScalar, GenericScalar} from '../types/scalars.ts';

const text = {type: new GraphQLNonNull(GraphQLString)};

export const EventNotification = new GraphQLObjectType<GraphEvent, FieldContext>({
  name: 'EventNotification',
  description: 'One thing that a commit did.',
  fields: {
    id: {
      ...text,
      description: 'Its place among all events: `since` takes it to go on behind it. Sorts as the events do.',
      resolve: ({place}) => formatPlace(place),
    },
    event_type: {...text, resolve: ({type}) => type},
    node_id: {
      type: GraphQLString,
      description: 'The object it happened to; of what happens to a branch, the id of the branch.',
      resolve: ({nodeId}) => nodeId,
    },
    kind: {type: GraphQLString, description: 'The kind of the object.'},
    branch: {...text, description: 'Where it happened.'},
    occurred_at: {
      type: new GraphQLNonNull(DateTimeScalar),
      resolve: ({place}) => formatInstant(place.instant),
    },
    account_id: {
      type: GraphQLString,
      description: 'Who did it; null for the service itself, and when you may not view accounts.',
      resolve: ({account}) => account,
    },
    is_system: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'The service did it by itself.',
      resolve: ({isSystem}) => isSystem,
    },
    changes: {
      type: new GraphQLNonNull(GenericScalar),
      description:
        'A list of {field, is, previous_value, new_value} for attributes and {field, is, added, removed} for relationships.',
      resolve: changesOf,
    },
    payload: {
      type: new GraphQLNonNull(GenericScalar),
      description: 'What else there is to say of the event, by its type.',
      resolve: payloadOf,
    },
  },
});

function changesOf({detail}: GraphEvent): Json {
  if (detail.is !== 'node') return [];
  return [...detail.attributes.map(attributeChange), ...relationshipChanges(detail.edges)];
}

const SECRET_KINDS: ReadonlySet<string> = new Set(['Password', 'HashedPassword']);
const HIDDEN = '***';

const PROPERTIES: readonly (readonly [string, (state: AttributeState) => Json])[] = [
  ['is_default', state => state.isDefault],
  ['is_from_profile', state => state.isFromProfile],
  ['is_protected', state => state.isProtected],
  ['is_visible', state => state.isVisible],
  ['source', state => state.source],
  ['owner', state => state.owner],
];

/** The properties of a value are told where they are what has changed. */
function attributeChange({name, kind, before, after}: EventAttribute): Json {
  const shown = (value: Json) => (SECRET_KINDS.has(kind) && value !== null ? HIDDEN : value);
  const changed = PROPERTIES.filter(
    ([, of]) => before !== undefined && after !== undefined && of(before) !== of(after),
  );
  return {
    field: name,
    is: 'attribute',
    previous_value: shown(before?.value ?? null),
    new_value: shown(after?.value ?? null),
    ...(changed.length === 0
      ? {}
      : {properties: Object.fromEntries(changed.map(([property, of]) => [property, of(after!)]))}),
  };
}

function relationshipChanges(edges: readonly EventEdge[]): readonly Json[] {
  const names = [...new Set(edges.map(edge => edge.relationship))];
  return names.map(field => {
    const own = edges.filter(edge => edge.relationship === field);
    const peers = (some: (edge: EventEdge) => boolean) => own.filter(some).map(({peer}) => peer);
    const updated = peers(({before, after}) => before !== undefined && after !== undefined);
    return {
      field,
      is: 'relationship',
      added: peers(({before}) => before === undefined),
      removed: peers(({after}) => after === undefined),
      ...(updated.length === 0 ? {} : {updated}),
    };
  });
}

async function schemaHash({branch, place}: GraphEvent, {services}: FieldContext): Promise<string | null> {
  const {store, schemas} = services;
  const known = await store.branches();
  if (!known.some(each => each.name === branch)) return null;
  return schemas.of(await store.snapshot({branch, at: place.instant})).hash;
}

function payloadOf(event: GraphEvent, _args: unknown, context: FieldContext): Json | Promise<Json> {
  const {detail, type} = event;
  switch (detail.is) {
    case 'members':
      return {members: detail.members.map(({id, kind}) => ({id, kind}))};
    case 'branch': {
      const other = detail.other ?? null;
      return {
        branch_name: detail.name,
        branch_id: event.nodeId,
        ...(type === 'service.branch.merged' ? {merged_into: other} : {}),
        ...(type === 'service.branch.rebased' ? {rebased_onto: other} : {}),
      };
    }
    case 'schema':
      return schemaHash(event, context).then(hash => ({branch_name: event.branch, schema_hash: hash}));
    default:
      return {};
  }
}
