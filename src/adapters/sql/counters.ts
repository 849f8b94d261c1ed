import type {Statement, Work} from './statement.ts';
import {change, read} from './statement.ts';

/** The last numbers given to versions and nodes; a write that fails gives its numbers back. */
export interface Counters {
  version: number;
  node: number;
}

const KEPT = 'last_version';

export function* loadCounters(): Work<Counters> {
  const version = (yield read('SELECT max(vid) FROM ver', []))[0]?.[0] ?? 0;
  const kept = (yield read('SELECT value FROM meta WHERE key = ?1', [KEPT]))[0]?.[0] ?? 0;
  const node = (yield read('SELECT max(id) FROM node', []))[0]?.[0] ?? 0;
  return {version: Math.max(Number(version), Number(kept)), node: Number(node)};
}

/** Written down before versions are removed for good, so that their numbers name nothing else, ever. */
export const keepCounter = ({version}: Counters): Statement =>
  change(
    `INSERT INTO meta (key, value) VALUES (?1, ?2)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [KEPT, String(version)],
  );
