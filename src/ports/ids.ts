import type {NodeId} from '../domain/graph/node-id.ts';

/** New identities, time-ordered so that later objects sort later. */
export interface Ids {
  nodeId(): NodeId;
}
