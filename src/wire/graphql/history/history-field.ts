import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLInt,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql';
import type {Json} from '../../../base/json.ts';
import {validationError} from '../../../domain/errors.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {Instant} from '../../../domain/time/instant.ts';
import type {Found} from '../../../ports/graph-store.ts';
import type {FieldContext} from '../engine.ts';
import {author, leaf, type Meaning, object} from '../meaning.ts';
import {LazyObjectType, type Opening} from '../types/lazy-types.ts';
import {DateTimeScalar, GenericScalar} from '../types/scalars.ts';
import {type FieldChange, type HistoryEntry, historyEntries} from './node-history.ts';

const text = new GraphQLNonNull(GraphQLString);

const HistoryAction = new GraphQLEnumType({
  name: 'HistoryAction',
  values: {CREATED: {}, UPDATED: {}, DELETED: {}},
});

const HistoryFieldChange = new GraphQLObjectType({
  name: 'HistoryFieldChange',
  description: 'A value before and after. Of a relationship, the ids of the peers.',
  fields: {
    field: {type: text, extensions: leaf<FieldChange>(change => change.field)},
    is: {type: text, extensions: leaf<FieldChange>(change => change.is)},
    previous_value: {type: GenericScalar, extensions: leaf<FieldChange>(change => change.previous_value)},
    new_value: {type: GenericScalar, extensions: leaf<FieldChange>(change => change.new_value)},
  },
});

const HistoryPageInfo = new GraphQLObjectType({
  name: 'HistoryPageInfo',
  fields: {
    hasNextPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      extensions: leaf<HistorySource>(({hasMore}) => hasMore),
    },
    endCursor: {type: GraphQLString, extensions: leaf<HistorySource>(({endCursor}) => endCursor)},
  },
});

/** The source of a history: its entries, and the cursor to go on from. */
export interface HistorySource {
  readonly entries: readonly HistoryEntry[];
  readonly hasMore: boolean;
  readonly endCursor: string | null;
}

/** The type of the field `history`; its types are found from it. */
export function historyType(
  opening: Opening,
  account: () => GraphQLOutputType | undefined,
): readonly [GraphQLObjectType, ...GraphQLNamedType[]] {
  const commit = new LazyObjectType(opening, {
    name: 'NodeHistoryCommit',
    fields: () => {
      const accountType = account();
      return {
        occurred_at: {
          type: new GraphQLNonNull(DateTimeScalar),
          extensions: leaf<HistoryEntry>(({occurred_at}) => occurred_at),
        },
        branch: {type: text, extensions: leaf<HistoryEntry>(({branch}) => branch)},
        action: {
          type: new GraphQLNonNull(HistoryAction),
          extensions: leaf<HistoryEntry>(({action}) => action),
        },
        changes: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(HistoryFieldChange))),
          extensions: object<HistoryEntry>(({changes}) => changes),
        },
        ...(accountType === undefined
          ? {}
          : {author: {type: accountType, extensions: author<HistoryEntry>(({instant}) => instant)}}),
      };
    },
  });
  const edge = new GraphQLObjectType({
    name: 'NodeHistoryEdge',
    fields: {
      node: {type: new GraphQLNonNull(commit), extensions: object<HistoryEntry>(entry => entry)},
      cursor: {type: text, extensions: leaf<HistoryEntry>(({instant}): Json => String(instant))},
    },
  });
  const history = new GraphQLObjectType({
    name: 'NodeHistory',
    description: 'The commits that touched an object, newest first.',
    fields: {
      edges: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(edge))),
        extensions: object<HistorySource>(({entries}) => entries),
      },
      pageInfo: {
        type: new GraphQLNonNull(HistoryPageInfo),
        extensions: object<HistorySource>(source => source),
      },
    },
  });
  return [history, commit, HistoryFieldChange, HistoryAction];
}

const DEFAULT_ROWS = 20;
/** Commits that are looked at for one page. */
const TOUCHES_MAX = 5_000;
const CURSOR = /^\d{1,16}$/;

/** The field `history(first, after)` of every object. */
export function historyField(type: GraphQLObjectType): GraphQLFieldConfig<unknown, unknown> {
  const meaning: Meaning = {
    is: 'deferred',
    key: ({node}: Found) => node.id,
    load: ({node}: Found, args, context: FieldContext) => loadHistory(node.id, args, context),
  };
  return {
    type: new GraphQLNonNull(type),
    args: {first: {type: GraphQLInt}, after: {type: GraphQLString}},
    extensions: {meaning},
  };
}

async function loadHistory(
  id: NodeId,
  args: Readonly<Record<string, unknown>>,
  context: FieldContext,
): Promise<HistorySource> {
  const {services, snapshot, list} = context;
  if (context.isRehearsal === true) throw validationError('A dry run leaves no history to show');
  const first = (args.first as number | null | undefined) ?? DEFAULT_ROWS;
  const {historyRowsMax} = list.limits;
  if (first < 0 || first > historyRowsMax) {
    throw validationError(`first of a history must be from 0 to ${historyRowsMax}, not ${first}`);
  }
  const after = args.after as string | null | undefined;
  if (typeof after === 'string' && !CURSOR.test(after)) {
    throw validationError(`"${after.slice(0, 80)}" is not a cursor of a history`);
  }
  const point = {branch: snapshot.branch, at: snapshot.at};
  const entries: HistoryEntry[] = [];
  let before = after ? (Number(after) as Instant) : undefined;
  // Commits in which there is nothing to be seen do not count, so that a page tells nothing of them.
  for (let left = TOUCHES_MAX; entries.length <= first && left > 0; left -= historyRowsMax) {
    const page = {limit: historyRowsMax, ...(before === undefined ? {} : {before})};
    const touches = await services.store.touches(point, id, page);
    for (const touch of touches) {
      if (entries.length <= first) entries.push(...(await historyEntries(context, id, [touch])));
    }
    if (touches.length < historyRowsMax) break;
    before = touches.at(-1)?.instant;
  }
  const shown = entries.slice(0, first);
  const last = shown.at(-1);
  return {
    entries: shown,
    hasMore: entries.length > first,
    endCursor: last === undefined ? null : String(last.instant),
  };
}
