import {SortedRuns} from '../../base/sorted-runs.ts';
import type {SqlValue, Statement} from '../sql/statement.ts';
import {changeEach} from '../sql/statement.ts';

type HeldRow = readonly SqlValue[];

/** Tables to which rows come in no order. Their statements name the columns of the key first. */
const HELD_TABLES = ['ix', 'edge'] as const;
const ROWS_MAX = 200_000;
const ROWS_PER_STEP = 250;

/**
 * New rows of one table that a transaction writes blindly, kept until something may see them. Written in the order of
 * their keys they meet each page of the table once: for a load of thousands of objects that halves what the engine
 * has to do.
 */
export class HeldRows {
  readonly #plainInsert: RegExp;
  readonly #mention: RegExp;
  readonly #rows = new SortedRuns<HeldRow>(byKey);
  #sql: string | undefined;

  constructor(table: string) {
    this.#plainInsert = new RegExp(`^INSERT INTO ${table} \\([^)]+\\)\\s+VALUES \\([^)]+\\)$`);
    // A row of the log comes after all that it tells of.
    this.#mention = new RegExp(`\\b(?:${table}|commits)\\b`);
  }

  /** True when the rows of this statement may be held back. */
  takes(sql: string): boolean {
    if (!this.#plainInsert.test(sql)) return false;
    this.#sql ??= sql;
    return this.#sql === sql;
  }

  isSeenBy(sql: string): boolean {
    return this.#mention.test(sql);
  }

  get isFull(): boolean {
    return this.#rows.size >= ROWS_MAX;
  }

  add(row: HeldRow): void {
    this.#rows.add(row);
  }

  /** The next rows to be written; undefined when none are left. */
  next(): Statement | undefined {
    return this.#rows.size === 0 ? undefined : changeEach(this.#sql!, this.#rows.take(ROWS_PER_STEP));
  }

  clear(): void {
    this.#rows.clear();
  }
}

export const heldRows = (): readonly HeldRows[] => HELD_TABLES.map(table => new HeldRows(table));

function byKey(a: HeldRow, b: HeldRow): number {
  for (let place = 0; place < a.length; place += 1) {
    const one = a[place]!;
    const two = b[place]!;
    if (one !== two) return one < two ? -1 : 1;
  }
  return 0;
}
