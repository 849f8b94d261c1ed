import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql';
import type {Branch} from '../../../domain/branch/branch.ts';
import {formatInstant} from '../../../domain/time/instant.ts';
import type {FieldContext} from '../engine.ts';
import {commitsSeen, seesAll} from './commits-seen.ts';

type Fields = GraphQLFieldConfigMap<Branch, FieldContext>;

const text = {type: GraphQLString};
const flag = {type: GraphQLBoolean};
const DEPRECATED = 'Every branch is isolated.';
const GRAPH_VERSION = 1;

export const BranchStatus = new GraphQLEnumType({
  name: 'BranchStatus',
  values: {OPEN: {}, NEED_REBASE: {}, NEED_UPGRADE_REBASE: {}, DELETING: {}, MERGING: {}, MERGED: {}},
});

type Way = 'ahead' | 'behind';

/** All of them. */
const COMMITS_MAX = Number.MAX_SAFE_INTEGER;

/**
 * The distance is counted only for those who ask, in commits that they may see something of. What is hidden from them has no
 * part in it, not even in whether a commit has something to merge.
 */
async function distance(branch: Branch, way: Way, context: FieldContext): Promise<number> {
  const all = await context.services.merges.distance(branch.name);
  const {origin, name, forkedAt} = branch;
  if (origin === undefined || seesAll(context, name, origin)) return all[way];
  const [on, after] = way === 'ahead' ? [name, all.since] : [origin, forkedAt];
  return (await commitsSeen(context, {branch: on, after, limit: COMMITS_MAX, newestFirst: true})).length;
}

const branchFields: Fields = {
  id: {type: new GraphQLNonNull(GraphQLString)},
  name: {type: new GraphQLNonNull(GraphQLString)},
  description: text,
  origin_branch: {...text, description: 'Null for the default branch.', resolve: branch => branch.origin},
  branched_from: {
    ...text,
    description: 'The instant up to which it sees its origin; a merge and a rebase move it.',
    resolve: branch => formatInstant(branch.forkedAt),
  },
  created_at: {...text, resolve: branch => formatInstant(branch.createdAt)},
  sync_with_git: {...flag, resolve: branch => branch.syncWithGit},
  is_default: {...flag, resolve: branch => branch.isDefault},
  is_isolated: {...flag, deprecationReason: DEPRECATED, resolve: () => true},
  has_schema_changes: {...flag, resolve: branch => branch.hasSchemaChanges},
  status: {type: new GraphQLNonNull(BranchStatus), resolve: () => 'OPEN'},
  graph_version: {type: GraphQLInt, resolve: () => GRAPH_VERSION},
  ahead: {
    type: new GraphQLNonNull(GraphQLInt),
    description: 'Commits of the branch that are not merged.',
    resolve: (branch, _args, context) => distance(branch, 'ahead', context),
  },
  behind: {
    type: new GraphQLNonNull(GraphQLInt),
    description: 'Commits of its origin that it does not see.',
    resolve: (branch, _args, context) => distance(branch, 'behind', context),
  },
};

export const BranchType = new GraphQLObjectType<Branch, FieldContext>({name: 'Branch', fields: branchFields});

const wrappers = new Map<string, GraphQLObjectType>();

/** `{value}` around a scalar, as clients of wrapped branches read them. */
function wrapped(type: GraphQLOutputType): GraphQLObjectType {
  const words = {
    String: 'NonRequiredStringValueField',
    'String!': 'RequiredStringValueField',
    Boolean: 'NonRequiredBooleanValueField',
    Int: 'NonRequiredIntValueField',
    'Int!': 'RequiredIntValueField',
  } as const;
  const name = words[String(type) as keyof typeof words] ?? 'StatusField';
  const known = wrappers.get(name);
  if (known !== undefined) return known;
  const made = new GraphQLObjectType({name, fields: {value: {type}}});
  wrappers.set(name, made);
  return made;
}

/** The same fields, each as an object with a `value`; the id stays plain. */
function wrappedFields(): Fields {
  const fields: Fields = {id: branchFields.id!};
  for (const [name, field] of Object.entries(branchFields)) {
    if (name === 'id') continue;
    const read = field.resolve ?? (branch => branch[name as keyof Branch]);
    fields[name] = {
      type: new GraphQLNonNull(wrapped(field.type)),
      description: field.description,
      deprecationReason: field.deprecationReason,
      resolve: async (branch, args, context, info) => ({value: await read(branch, args, context, info)}),
    };
  }
  return fields;
}

export const WrappedBranchType = new GraphQLObjectType<Branch, FieldContext>({
  name: 'InfrahubBranch',
  fields: wrappedFields(),
});
