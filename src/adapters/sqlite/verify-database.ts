import type {Instant} from '../../domain/time/instant.ts';
import type {VerifyReport} from '../../ports/graph-store.ts';
import {lastCommit} from '../sql/commit-log.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import {stageFacts} from '../sql/stage.ts';
import type {Work} from '../sql/statement.ts';
import {read} from '../sql/statement.ts';
import {verifyGraph} from '../sql/verify.ts';
import {asServiceError} from './sqlite-error.ts';

const FILE_PROBLEMS_MAX = 20;

/**
 * Proves the file with SQLite's own check, and the graph in it. What cannot be read at all is a problem, not an error.
 * Undefined while a write lands in steps.
 */
export function* verifyDatabase(context: GraphContext): Work<VerifyReport | undefined> {
  const problems: string[] = [];
  try {
    if ((yield* stageFacts()) !== undefined) return undefined;
    for (const [text] of yield read(`PRAGMA integrity_check(${FILE_PROBLEMS_MAX})`, [])) {
      if (text !== 'ok') problems.push(`the database file: ${text}`);
    }
    const graph = yield* verifyGraph(context, (yield* lastCommit()) ?? (0 as Instant));
    return {checked: graph.checked, problems: [...problems, ...graph.problems]};
  } catch (error) {
    return {checked: {}, problems: [...problems, asServiceError(error).message]};
  }
}
