import {assert} from '../../base/assert.ts';

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
  /** Reads that do not wait for each other: what comes back is the rows of each, in their order. See `abreast`. */
  readonly all: readonly Statement[] | undefined;
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
  all: undefined,
});

/** A change whose number of rows is looked at. */
export const change = (sql: string, params: readonly SqlValue[]): Statement => ({
  sql,
  params,
  writes: true,
  isBlind: false,
  refusal: undefined,
  lists: undefined,
  all: undefined,
});

/** A change at whose result nobody looks. */
export const blind = (sql: string, params: readonly SqlValue[], refusal?: () => Error): Statement => ({
  sql,
  params,
  writes: true,
  isBlind: true,
  refusal,
  lists: undefined,
  all: undefined,
});

/** The same change for each list of parameters. */
export const changeEach = (sql: string, lists: readonly (readonly SqlValue[])[]): Statement => ({
  sql,
  params: NONE,
  writes: true,
  isBlind: false,
  refusal: undefined,
  lists,
  all: undefined,
});

/**
 * Does works that only read, a step of each at a time: an engine behind a network is asked for all of them at once. A
 * read that fails ends them all.
 */
export function* abreast<T>(works: readonly Work<T>[]): Work<readonly T[]> {
  const steps = works.map(work => work.next([]));
  for (;;) {
    const open: number[] = [];
    const all: Statement[] = [];
    for (const [place, step] of steps.entries()) {
      if (step.done === true) continue;
      assert(!step.value.writes, 'works that go abreast only read');
      open.push(place);
      all.push(step.value);
    }
    if (open.length === 0) return steps.map(step => step.value as T);
    const answers = (yield {...read('', NONE), all}) as unknown as readonly (readonly Row[])[];
    for (const [index, place] of open.entries()) steps[place] = works[place]!.next(answers[index]!);
  }
}

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
