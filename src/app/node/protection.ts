import {permissionDenied} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Caller} from '../caller.ts';

interface Guarded {
  readonly isProtected: boolean;
  readonly owner: NodeId | null;
}

/** Only its owner and administrators change what is protected. */
export function refuseIfProtected(
  caller: Caller,
  {isProtected, owner}: Guarded,
  node: NodeId,
  field: string,
): void {
  if (!isProtected) return;
  if (caller.account !== null && caller.account === owner) return;
  if (caller.access.allows({is: 'global', action: 'super_admin'})) return;
  throw permissionDenied(`${field} of ${node} is protected: only its owner may change it`, {id: node, field});
}
