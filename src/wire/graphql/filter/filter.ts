import type {GraphQLInputType} from 'graphql';
import type {Condition} from '../../../domain/query/node-query.ts';

/** An argument that narrows a list. */
export interface Filter {
  readonly type: GraphQLInputType;
  /** Equal for filters that mean the same of equal values. */
  readonly signature: string;
  /** Undefined: no restriction. */
  condition(value: unknown, options: FilterOptions): Condition | undefined;
}

export interface FilterOptions {
  /** Compare values as parts of texts, whatever their case. */
  readonly isPartial: boolean;
  readonly hierarchyDepthMax: number;
}

export type Filters = ReadonlyMap<string, Filter>;

export const all = (of: readonly Condition[]): Condition => (of.length === 1 ? of[0]! : {is: 'all', of});

export const not = (of: Condition): Condition => ({is: 'not', of});
