import type {GraphStore, VerifyReport} from '../../ports/graph-store.ts';
import type {ObjectStore} from '../../ports/object-store.ts';
import {authorize, type Caller} from '../caller.ts';
import type {LastVerification} from './last-verification.ts';
import {verifyObjects} from './verify-objects.ts';

export interface VerifyDeps {
  readonly store: GraphStore;
  readonly objects: ObjectStore;
}

/** Proves every invariant of what is stored, while the service works; health tells what was found last. */
export async function verifyStore(
  deps: VerifyDeps & {readonly lastVerification: LastVerification},
  caller: Caller,
): Promise<VerifyReport> {
  authorize(caller, {is: 'global', action: 'super_admin'});
  const at = deps.store.now();
  const report = await verifyAll(deps);
  deps.lastVerification.record(report, at);
  return report;
}

export async function verifyAll(deps: VerifyDeps): Promise<VerifyReport> {
  const graph = await deps.store.verify();
  if (graph.problems.length > 0) return graph;
  const objects = await verifyObjects(deps);
  return {checked: {...graph.checked, ...objects.checked}, problems: objects.problems};
}
