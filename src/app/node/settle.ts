import {must} from '../../base/assert.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {settleQueries} from '../query/settle-queries.ts';
import {settleRepositories} from '../repository/settle-repositories.ts';
import {checkCounts, checkPaths} from './check-ends.ts';
import {computeValues} from './compute-values.ts';
import type {NodeWork} from './node-work.ts';
import {refreshProfiledValues} from './refresh-profiled-values.ts';

type Rigour = 'strict' | 'lenient';

/**
 * Ends a verb: checks the rules between the objects it touched, then brings derived values up to date. What was
 * accepted before and only comes together is looked at leniently.
 */
export async function settle(work: NodeWork, rigour: Rigour = 'strict'): Promise<void> {
  await checkCounts(work);
  await settleFurther(work, rigour);
}

/** The part of it that looks further than the objects and their edges. */
export async function settleFurther(work: NodeWork, rigour: Rigour): Promise<void> {
  await checkPaths(work);
  await refreshProfiledValues(work);
  await settleQueries(work, rigour);
  await settleRepositories(work);
  await computeValues(work);
}

/** The object as it stands after `settle`. */
export async function settled(work: NodeWork, {id}: NodeRecord): Promise<NodeRecord> {
  return must(await work.node(id), `the object ${id} just written`);
}
