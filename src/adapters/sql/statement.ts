/**
 * The SQL room decides what to ask and never how it is carried: its functions are generators that yield
 * statements and receive rows. One engine drives them without ever waiting, another over a network, and
 * the logic is written once.
 *
 * Writes are plain: an INSERT that selects or returns makes SQLite keep a journal for the statement, whose end costs
 * as much as all pages that the transaction has changed so far.
 */
export type SqlValue = string | number | null;
export type Row = readonly SqlValue[];

export interface Statement {
  /** Parameters stand as `?1`, `?2`, …; an engine that spells them otherwise rewrites them. */
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** True when nothing comes back but one row with the number of rows changed. */
  readonly writes: boolean;
  /** True when nobody looks at what comes back: it may be sent later, together with others, but before any read. */
  readonly isBlind: boolean;
  /** What the write fails with when no row is changed: at once, or when an engine that is told later learns of it. */
  readonly refusal: (() => Error) | undefined;
  /** Lists of parameters for which it is run one after the other; the numbers of rows changed are added up. */
  readonly lists: readonly (readonly SqlValue[])[] | undefined;
}

export type Work<T> = Generator<Statement, T, readonly Row[]>;

const NONE: readonly SqlValue[] = [];

export const read = (sql: string, params: readonly SqlValue[]): Statement => ({
  sql,
  params,
  writes: false,
  isBlind: false,
  refusal: undefined,
  lists: undefined,
});

/** A change whose number of rows is looked at. */
export const change = (sql: string, params: readonly SqlValue[]): Statement => ({
  sql,
  params,
  writes: true,
  isBlind: false,
  refusal: undefined,
  lists: undefined,
});

/** A change at whose result nobody looks. */
export const blind = (sql: string, params: readonly SqlValue[], refusal?: () => Error): Statement => ({
  sql,
  params,
  writes: true,
  isBlind: true,
  refusal,
  lists: undefined,
});

/** The same change for each list of parameters. */
export const changeEach = (sql: string, lists: readonly (readonly SqlValue[])[]): Statement => ({
  sql,
  params: NONE,
  writes: true,
  isBlind: false,
  refusal: undefined,
  lists,
});

/** A work of one statement, at whose rows nobody looks. */
export function* only(statement: Statement): Work<void> {
  yield statement;
}

/** Whether a change found a row to change, from what came back. */
export const isChanged = (rows: readonly Row[]): boolean => rows[0]![0] !== 0;

/** Collects parameters while a statement is put together; a parameter may be used in any place. */
export class Parameters {
  readonly values: SqlValue[] = [];

  bind(value: SqlValue): string {
    this.values.push(value);
    return `?${this.values.length}`;
  }
}
