import {must} from '../../base/assert.ts';
import type {EdgeRecord} from '../../domain/graph/node.ts';
import type {Cursor} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Found, Page} from '../../ports/graph-store.ts';
import type {StoredDocument} from '../sql/document.ts';
import type {GraphLayout} from '../sql/layout.ts';
import type {StoredPart} from '../sql/stored-node.ts';
import {StoredNode} from '../sql/stored-node.ts';

/** A page as it travels between threads: plain values, each node once. */
export interface PackedPage {
  readonly nodes: readonly PackedNode[];
  readonly page: PackedLevel;
}

export type PackedNode = readonly [
  serial: number,
  kind: number,
  version: number,
  branch: number,
  since: number,
  document: StoredDocument,
  part: StoredPart | undefined,
];

interface PackedLevel {
  readonly found: readonly PackedFound[];
  readonly count: number | undefined;
  readonly hasMore: boolean;
}

type PackedFound = readonly [
  node: number,
  cursor: Cursor,
  edge: EdgeRecord | undefined,
  included: readonly PackedLevel[],
];

export const packNodes = (nodes: Iterable<StoredNode>): readonly PackedNode[] => Array.from(nodes, pack);

const pack = (node: StoredNode): PackedNode => {
  const {serial, layout, versionSerial, branch, since, document, part} = node;
  return [serial, layout.serial, versionSerial, branch, since, document, part];
};

export function packPage(page: Page): PackedPage {
  const places = new Map<StoredNode, number>();
  const nodes: PackedNode[] = [];
  const packNode = (node: StoredNode): number => {
    const known = places.get(node);
    if (known !== undefined) return known;
    places.set(node, nodes.length);
    nodes.push(pack(node));
    return nodes.length - 1;
  };
  const packLevel = (level: Page): PackedLevel => ({
    count: level.count,
    hasMore: level.hasMore,
    found: level.found.map(item => [
      packNode(item.node as StoredNode),
      item.cursor,
      item.edge,
      item.included.map(packLevel),
    ]),
  });
  const packed = packLevel(page);
  return {nodes, page: packed};
}

export const unpackNodes = (nodes: readonly PackedNode[], layout: GraphLayout): readonly StoredNode[] =>
  nodes.map(([serial, kind, version, branch, since, document, part]) => {
    const kindLayout = must(layout.bySerial.get(kind), `kind ${kind}`);
    return new StoredNode(serial, kindLayout, version, branch, since as Instant, document, part);
  });

export function unpackPage({nodes, page}: PackedPage, layout: GraphLayout): Page {
  const made = unpackNodes(nodes, layout);
  const unpackLevel = (level: PackedLevel): Page => ({
    count: level.count,
    hasMore: level.hasMore,
    found: level.found.map(
      ([node, cursor, edge, included]): Found => ({
        node: made[node]!,
        cursor,
        edge,
        included: included.map(unpackLevel),
      }),
    ),
  });
  return unpackLevel(page);
}
