import type {Json} from '../../base/json.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {Caller} from '../caller.ts';

export interface QueryRequest {
  readonly caller: Caller;
  /** The state to read. */
  readonly snapshot: Snapshot;
  readonly document: string;
  readonly variables: Readonly<Record<string, Json>>;
}

export interface QueryProblem {
  readonly message: string;
  /** The caller may not see what was asked for. */
  readonly isDenied: boolean;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly {readonly line: number; readonly column: number}[];
}

export type QueryOutcome =
  | {readonly is: 'answered'; readonly data: Json}
  | {readonly is: 'failed'; readonly problems: readonly QueryProblem[]};

/** Runs a query of GraphQL on a state of the graph. Mutations are refused. */
export type RunQuery = (request: QueryRequest) => Promise<QueryOutcome>;
