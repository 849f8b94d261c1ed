import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Draft} from '../../ports/graph-store.ts';
import {QUERY_GROUP_KIND} from '../query/put-query-group.ts';

/** Takes an artifact off the groups of earlier runs; a group that nobody listens to any more goes. */
export async function leaveOtherGroups(draft: Draft, subscriber: NodeId, kept: NodeId): Promise<void> {
  for (const {id, kind} of await draft.neighbours(subscriber, 'subscriber_of_groups')) {
    if (kind !== QUERY_GROUP_KIND || id === kept) continue;
    await draft.unlink({node: id, relationship: 'subscribers', peer: subscriber});
    if ((await draft.neighbours(id, 'subscribers')).length === 0) await draft.delete(id);
  }
}
