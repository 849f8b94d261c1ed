import {FULL_ACCESS} from '../../domain/access/access.ts';
import {permissionDenied} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Standings} from '../access/standings.ts';
import type {Caller} from '../caller.ts';

/** Who a task is done for, with what they may do when it runs; null is the service itself. */
export type CallerOfAccount = (account: NodeId | null) => Promise<Caller>;

export function callerOfAccount(standings: Standings): CallerOfAccount {
  return async account => {
    if (account === null) return {account, access: FULL_ACCESS};
    const standing = await standings.of(account);
    if (standing?.isActive !== true) {
      throw permissionDenied('The account that asked for this is no longer active', {account});
    }
    return standing;
  };
}
