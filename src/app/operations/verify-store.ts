import type {VerifyReport} from '../../ports/graph-store.ts';
import {authorize, type Caller} from '../caller.ts';
import type {Services} from '../services.ts';

/** Proves every invariant of what is stored, while the service works. */
export async function verifyStore(deps: Pick<Services, 'store'>, caller: Caller): Promise<VerifyReport> {
  authorize(caller, {is: 'global', action: 'super_admin'});
  return deps.store.verify();
}
