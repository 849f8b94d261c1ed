import {isNodeId, type NodeId} from '../../../domain/graph/node-id.ts';

/** The ids among these; what is no id names no object. */
export function nodeIds(values: readonly unknown[]): readonly NodeId[] {
  return values.flatMap(value => {
    const text = typeof value === 'string' ? value.toLowerCase() : '';
    return isNodeId(text) ? [text] : [];
  });
}
