import type {Statement} from '../sql/statement.ts';

/** Called after each statement with how long it took, within the request that it ran for. */
export type StatementWatch = (statement: Pick<Statement, 'sql' | 'params'>, millis: number) => void;

/** Who looks at the store from outside. */
export interface StoreWatch {
  /** Absent: statements are not timed. */
  readonly ran?: StatementWatch | undefined;
  committed(millis: number, writes: number): void;
}

/** How the store is doing; read when somebody asks. */
export interface StoreFigures {
  readonly writesWaiting: number;
  readonly readsWaiting: number;
  readonly databaseBytes: number;
  readonly logBytes: number;
  readonly documentsCached: number;
  readonly documentHits: number;
  readonly documentMisses: number;
}
