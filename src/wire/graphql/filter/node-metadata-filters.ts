import {GraphQLID} from 'graphql';
import {validationError} from '../../../domain/errors.ts';
import type {Condition} from '../../../domain/query/node-query.ts';
import {type Instant, parseIsoMicros} from '../../../domain/time/instant.ts';
import {DateTimeScalar} from '../types/scalars.ts';
import {scalarList} from './attribute-filters.ts';
import type {Filter} from './filter.ts';
import {nodeIds} from './ids.ts';

type Bounds = Pick<Extract<Condition, {is: 'node'}>, 'from' | 'until'>;

const filter = (field: 'createdAt' | 'updatedAt', bounds: (at: number) => Bounds): Filter => ({
  type: DateTimeScalar,
  signature: field,
  condition(value) {
    const micros = parseIsoMicros(String(value));
    if (micros === undefined) throw validationError(`"${String(value)}" is not a time`);
    return {is: 'node', field, ...bounds(micros)};
  },
});

const family = (name: string, field: 'createdAt' | 'updatedAt'): readonly (readonly [string, Filter])[] => [
  [name, filter(field, at => ({from: at as Instant, until: at as Instant}))],
  [`${name}__before`, filter(field, at => ({until: (at - 1) as Instant}))],
  [`${name}__after`, filter(field, at => ({from: (at + 1) as Instant}))],
];

const authors = (name: string, field: 'createdAt' | 'updatedAt'): readonly (readonly [string, Filter])[] => [
  [
    `${name}__id`,
    {type: GraphQLID, signature: field, condition: value => ({is: 'node', field, by: nodeIds([value])})},
  ],
  [
    `${name}__ids`,
    {
      type: scalarList(GraphQLID),
      signature: field,
      condition: value => ({is: 'node', field, by: nodeIds(value as readonly unknown[])}),
    },
  ],
];

/** Filters on when an object was made and last changed, and by whom. */
export const nodeMetadataFilters: readonly (readonly [string, Filter])[] = [
  ...family('node_metadata__created_at', 'createdAt'),
  ...family('node_metadata__updated_at', 'updatedAt'),
  ...authors('node_metadata__created_by', 'createdAt'),
  ...authors('node_metadata__updated_by', 'updatedAt'),
];
