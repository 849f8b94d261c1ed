import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Condition, Include} from '../../domain/query/node-query.ts';
import {kindOf} from '../../domain/schema/lookup.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {Found, Snapshot} from '../../ports/graph-store.ts';
import {QUERY_GROUP_KIND} from '../query/put-query-group.ts';
import {ARTIFACT, DEFINITION} from './definition.ts';

/** An artifact that was made from something that changed. */
export interface AffectedArtifact {
  readonly definition: NodeId;
  readonly target: NodeId;
  /** One of the objects that changed. */
  readonly because: NodeId;
}

const GROUPS_MAX = 100_000;
const IDS_AT_ONCE = 500;

const ONE = {limit: 1, offset: 0};
const SUBSCRIBERS: Include = {
  relationship: 'subscribers',
  where: {is: 'kind', in: [ARTIFACT]},
  include: [
    {relationship: 'definition', page: ONE},
    {relationship: 'object', page: ONE},
  ],
};

/** The artifacts whose groups hold an object that was touched, or leave room for one of its kind. */
export async function affectedArtifacts(
  snapshot: Snapshot,
  schema: Schema,
  touched: ReadonlyMap<NodeId, string>,
): Promise<readonly AffectedArtifact[]> {
  const ids = [...touched.keys()];
  const affected: AffectedArtifact[] = [];
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const some = ids.slice(from, from + IDS_AT_ONCE);
    const members: Condition = {is: 'related', relationship: 'members', where: {is: 'id', in: some}};
    const which: Include = {relationship: 'members', where: {is: 'id', in: some}, page: ONE};
    for (const group of await groupsWhere(snapshot, members, [which])) {
      const because = group.included[1]?.found[0]?.node.id ?? some[0]!;
      affected.push(...subscribersOf(group).map(each => ({...each, because})));
    }
  }
  affected.push(...(await byKind(snapshot, schema, touched)));
  return affected;
}

async function byKind(
  snapshot: Snapshot,
  schema: Schema,
  touched: ReadonlyMap<NodeId, string>,
): Promise<readonly AffectedArtifact[]> {
  const byKindName = new Map<string, NodeId>();
  for (const [id, kind] of touched) {
    const generics = schema.nodes.get(kind)?.inherit_from ?? [];
    for (const name of [kind, ...generics]) if (!byKindName.has(name)) byKindName.set(name, id);
  }
  const isOpen: Condition = {
    is: 'not',
    of: {is: 'attribute', attribute: 'kinds', property: 'value', test: {op: 'isNull'}},
  };
  const affected: AffectedArtifact[] = [];
  for (const group of await groupsWhere(snapshot, isOpen)) {
    const kinds = group.node.value('kinds') as readonly string[];
    const name = kinds.find(kind => byKindName.has(kind) && kindOf(schema, kind) !== undefined);
    if (name === undefined) continue;
    affected.push(...subscribersOf(group).map(each => ({...each, because: byKindName.get(name)!})));
  }
  return affected;
}

async function groupsWhere(
  snapshot: Snapshot,
  where: Condition,
  more: readonly Include[] = [],
): Promise<readonly Found[]> {
  const page = {limit: GROUPS_MAX, offset: 0};
  return (await snapshot.query({kind: QUERY_GROUP_KIND, where, page, include: [SUBSCRIBERS, ...more]})).found;
}

function subscribersOf({included}: Found): readonly Omit<AffectedArtifact, 'because'>[] {
  return (included[0]?.found ?? []).flatMap(({included: [definitions, objects]}) => {
    const definition = definitions?.found[0]?.node;
    const target = objects?.found[0]?.node;
    if (definition?.kind !== DEFINITION || target === undefined) return [];
    return {definition: definition.id, target: target.id};
  });
}
