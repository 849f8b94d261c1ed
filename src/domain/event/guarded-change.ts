import type {NodeId} from '../graph/node-id.ts';
import type {CommittedNode} from './graph-event.ts';

/** A commit has changed whether or what somebody may do. */
export type GuardedChange =
  /** One account, session or API key. */
  | {readonly is: 'one'; readonly id: NodeId}
  /** Groups, roles or permissions: anybody may be meant. */
  | {readonly is: 'any'};

const ONE: ReadonlySet<string> = new Set(['InternalRefreshToken', 'InternalAccountToken']);
const ANY: ReadonlySet<string> = new Set([
  'CoreAccountGroup',
  'CoreAccountRole',
  'CoreGlobalPermission',
  'CoreObjectPermission',
]);

/** Undefined for objects that have no say in it. */
export function guardedChange({id, kind, generics, action}: CommittedNode): GuardedChange | undefined {
  if (ANY.has(kind)) return {is: 'any'};
  if (action === 'added') return undefined;
  return ONE.has(kind) || generics.includes('CoreGenericAccount') ? {is: 'one', id} : undefined;
}
