import type {Work} from './statement.ts';
import {change} from './statement.ts';
import {OWN_WORDS, TASK_TABLES} from './tables.ts';

interface Migration {
  /** The format that it leads to, from the one before. */
  readonly to: number;
  readonly run: () => Work<void>;
}

/** One step for each format after the first. Steps are never changed once a version with them is out. */
const MIGRATIONS: readonly Migration[] = [{to: 2, run: () => statements([OWN_WORDS, ...TASK_TABLES])}];

/** Brings the tables from an older format to this version's; all of it belongs in one transaction. */
export function* migrate(from: number): Work<void> {
  for (const {to, run} of MIGRATIONS) if (to > from) yield* run();
}

function* statements(texts: readonly string[]): Work<void> {
  for (const sql of texts) yield change(sql, []);
}
