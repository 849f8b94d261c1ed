import {isNodeId, type NodeId} from '../../../domain/graph/node-id.ts';

/** The ids among these; what is no id names no object. */
export function nodeIds(values: readonly unknown[]): readonly NodeId[] {
  const ids: NodeId[] = [];
  for (const value of values) {
    if (typeof value !== 'string') continue;
    const text = isNodeId(value) ? value : value.toLowerCase();
    if (isNodeId(text)) ids.push(text);
  }
  return ids;
}
