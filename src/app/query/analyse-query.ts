import type {Json} from '../../base/json.ts';
import type {Schema} from '../../domain/schema/schema.ts';

/** What a stored query takes. */
export type QueryVariable = {
  readonly name: string;
  /** The innermost type, without lists and marks of what must be there. */
  readonly type: string;
  /** True when it must be given. */
  readonly required: boolean;
  readonly default_value: Json;
};

/** What can be told of a query by reading it. */
export interface QueryFacts {
  /** What each operation does: `query`, `mutation`, `subscription`. */
  readonly operations: readonly string[];
  readonly variables: readonly QueryVariable[];
  /** The kinds it is about, by name; a generic stands for all its kinds too. */
  readonly models: readonly string[];
  /** Levels of fields below each other. */
  readonly depth: number;
  /** Fields asked for. */
  readonly height: number;
}

export type QueryAnalysis =
  | {readonly is: 'valid'; readonly facts: QueryFacts}
  | {readonly is: 'invalid'; readonly problems: readonly string[]};

/** Reads a document of GraphQL against a schema. It waits for nothing. */
export type AnalyseQuery = (schema: Schema, document: string) => QueryAnalysis;
