import type {NodeId} from '../../domain/graph/node-id.ts';
import type {NodeWork} from './node-work.ts';

const SESSION = 'InternalRefreshToken';
const SESSIONS_PER_STEP = 100;

/** Whoever changes a password ends what others may have begun with the old one; the session they act in goes on. */
export async function endSessions({draft, scope}: NodeWork, account: NodeId): Promise<void> {
  if (draft.kind(SESSION) === undefined) return;
  const {session} = scope.caller;
  for (;;) {
    const {found} = await draft.query({
      kind: SESSION,
      where: {is: 'related', relationship: 'account', where: {is: 'id', in: [account]}},
      page: {limit: SESSIONS_PER_STEP, offset: 0},
    });
    const others = found.map(({node}) => node.id).filter(id => id !== session);
    if (others.length === 0) return;
    for (const id of others) await draft.delete(id);
  }
}
