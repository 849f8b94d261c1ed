import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import {DateTimeScalar} from '../types/scalars.ts';

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

const text = {type: GraphQLString};
const required = {type: new GraphQLNonNull(GraphQLString)};
const flag = {type: new GraphQLNonNull(GraphQLBoolean)};
const time = {type: DateTimeScalar};
const requiredTime = {type: new GraphQLNonNull(DateTimeScalar)};
const count = {type: new GraphQLNonNull(GraphQLInt)};
const listOf = (type: GraphQLObjectType) => new GraphQLList(new GraphQLNonNull(type));
const fullListOf = (type: GraphQLObjectType) => ({type: new GraphQLNonNull(listOf(type))});

export const DiffAction = new GraphQLEnumType({
  name: 'DiffAction',
  values: {
    ADDED: {value: 'added'},
    REMOVED: {value: 'removed'},
    UPDATED: {value: 'updated'},
    UNCHANGED: {value: 'unchanged'},
  },
});

export const ConflictSelection = new GraphQLEnumType({
  name: 'ConflictSelection',
  values: {BASE_BRANCH: {value: 'origin'}, DIFF_BRANCH: {value: 'branch'}},
});

const RelationshipCardinality = new GraphQLEnumType({
  name: 'RelationshipCardinality',
  values: {ONE: {value: 'one'}, MANY: {value: 'many'}},
});

const action = {type: new GraphQLNonNull(DiffAction)};
const counts: Fields = {num_added: count, num_updated: count, num_removed: count, num_conflicts: count};

const ConflictDetails = new GraphQLObjectType({
  name: 'ConflictDetails',
  fields: {
    uuid: {...required, description: 'What ResolveDiffConflict takes as conflict_id.'},
    base_branch_action: action,
    base_branch_value: text,
    base_branch_changed_at: requiredTime,
    base_branch_label: text,
    diff_branch_action: action,
    diff_branch_value: text,
    diff_branch_changed_at: requiredTime,
    diff_branch_label: text,
    selected_branch: {type: ConflictSelection},
    resolvable: {type: GraphQLBoolean},
  },
});
const conflict = {type: ConflictDetails};

const DiffProperty = new GraphQLObjectType({
  name: 'DiffProperty',
  fields: {
    property_type: required,
    last_changed_at: requiredTime,
    previous_value: text,
    new_value: text,
    previous_label: text,
    new_label: text,
    status: action,
    path_identifier: required,
    conflict,
  },
});

const DiffAttribute = new GraphQLObjectType({
  name: 'DiffAttribute',
  fields: {
    name: required,
    status: action,
    path_identifier: required,
    last_changed_at: requiredTime,
    last_changed_by: {...text, description: 'The id of the account.'},
    contains_conflict: flag,
    conflict,
    properties: {type: listOf(DiffProperty)},
    ...counts,
  },
});

const DiffSingleRelationship = new GraphQLObjectType({
  name: 'DiffSingleRelationship',
  fields: {
    peer_id: required,
    peer_label: text,
    status: action,
    path_identifier: required,
    last_changed_at: time,
    contains_conflict: flag,
    conflict,
    properties: {type: listOf(DiffProperty)},
    ...counts,
  },
});

const DiffRelationship = new GraphQLObjectType({
  name: 'DiffRelationship',
  fields: {
    name: required,
    label: text,
    cardinality: {type: new GraphQLNonNull(RelationshipCardinality)},
    status: action,
    path_identifier: required,
    last_changed_at: time,
    contains_conflict: flag,
    elements: fullListOf(DiffSingleRelationship),
    ...counts,
  },
});

const DiffNodeParent = new GraphQLObjectType({
  name: 'DiffNodeParent',
  fields: {uuid: required, kind: text, relationship_name: text},
});

const DiffNode = new GraphQLObjectType({
  name: 'DiffNode',
  fields: {
    uuid: required,
    kind: required,
    label: required,
    status: action,
    path_identifier: required,
    last_changed_at: time,
    last_changed_by: {...text, description: 'The id of the account.'},
    contains_conflict: flag,
    conflict,
    parent: {type: DiffNodeParent},
    attributes: fullListOf(DiffAttribute),
    relationships: fullListOf(DiffRelationship),
    ...counts,
  },
});

const UNTRACKED = 'Always 0: a diff is worked out when it is asked for.';
const header: Fields = {
  base_branch: required,
  diff_branch: required,
  from_time: requiredTime,
  to_time: requiredTime,
  ...counts,
  num_untracked_base_changes: {type: GraphQLInt, description: UNTRACKED},
  num_untracked_diff_changes: {type: GraphQLInt, description: UNTRACKED},
};

export const DiffTree = new GraphQLObjectType({
  name: 'DiffTree',
  fields: {...header, name: text, nodes: {type: listOf(DiffNode)}},
});

export const DiffTreeSummary = new GraphQLObjectType({
  name: 'DiffTreeSummary',
  fields: {...header, num_unchanged: count},
});
