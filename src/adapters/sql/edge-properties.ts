import type {EdgeProperties, EdgeRecord} from '../../domain/graph/node.ts';
import {PLAIN_EDGE} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {VisibleEdge} from './reader.ts';

interface StoredProperties {
  readonly p?: 1;
  readonly h?: 1;
  readonly s?: NodeId;
  readonly o?: NodeId;
}

export function readProperties(text: string | null): EdgeProperties {
  if (text === null) return PLAIN_EDGE;
  const stored = JSON.parse(text) as StoredProperties;
  return {
    isProtected: stored.p === 1,
    isVisible: stored.h !== 1,
    source: stored.s ?? null,
    owner: stored.o ?? null,
  };
}

/** The text of the properties; null for a plain edge, so that most edges store nothing. Equal means equal text. */
export function writeProperties(properties: EdgeProperties): string | null {
  const stored: StoredProperties = {
    ...(properties.isProtected ? {p: 1} : {}),
    ...(properties.isVisible ? {} : {h: 1}),
    ...(properties.source === null ? {} : {s: properties.source}),
    ...(properties.owner === null ? {} : {o: properties.owner}),
  };
  const text = JSON.stringify(stored);
  return text === '{}' ? null : text;
}

export const edgeRecord = (edge: VisibleEdge): EdgeRecord => ({
  properties: readProperties(edge.properties),
  updatedAt: edge.since,
});
