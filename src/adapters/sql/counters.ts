import type {Statement, Work} from './statement.ts';
import {blind, read} from './statement.ts';

/** The last numbers given to versions and nodes; a write that fails gives its numbers back. */
export interface Counters {
  version: number;
  /** The last version that is durable; the numbers above it may be given back. */
  durable: number;
  node: number;
}

const KEPT = 'last_version';

export function* loadCounters(): Work<Counters> {
  const [row] = yield read(
    `SELECT (SELECT max(vid) FROM ver), (SELECT max(id) FROM node), (SELECT value FROM meta WHERE key = ?1)`,
    [KEPT],
  );
  const [written, node, kept] = row!.map(Number);
  const version = Math.max(written!, kept!);
  return {version, durable: version, node: node!};
}

/** Written down before versions are removed for good, so that their numbers name nothing else, ever. */
export const keepCounter = ({version}: Counters): Statement =>
  blind(
    `INSERT INTO meta (key, value) VALUES (?1, ?2)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [KEPT, String(version)],
  );
