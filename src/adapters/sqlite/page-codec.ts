import {must} from '../../base/assert.ts';
import {type EdgeProperties, type EdgeRecord, PLAIN_EDGE} from '../../domain/graph/node.ts';
import type {Cursor} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Found, Page} from '../../ports/graph-store.ts';
import type {StoredDocument} from '../sql/document.ts';
import type {DocumentCache} from '../sql/document-cache.ts';
import type {GraphLayout} from '../sql/layout.ts';
import type {StoredPart} from '../sql/stored-node.ts';
import {StoredNode} from '../sql/stored-node.ts';

/*
 * A page as it travels between threads. Objects would be copied one by one, so it goes as numbers, which are handed over
 * as they are, and as one text. A version never changes: its document goes along once, and afterwards its number will do.
 *
 * Of each level: its count, whether there is more, how many rows, how many pages come with each, and whether the rows
 * have edges and keys of their own; then of each row: the place of its node, its edge, its key, and the pages below it.
 */
export interface PackedPage {
  readonly numbers: Float64Array<ArrayBuffer>;
  /** The versions that the page shows; 0 for nodes that are made of several. */
  readonly versions: readonly number[];
  /** The text of a `PackedMatter`. */
  readonly matter: string;
}

/** What numbers cannot say. */
interface PackedMatter {
  /** Nodes by their place among the versions. */
  readonly nodes: readonly (readonly [place: number, node: PackedNode])[];
  /** Keys other than those of the nodes' own order. */
  readonly keys: readonly string[];
  readonly properties: readonly EdgeProperties[];
}

type PackedNode = readonly [
  serial: number,
  kind: number,
  version: number,
  branch: number,
  since: number,
  document: StoredDocument,
  part: StoredPart | null,
];

const ABSENT = -1;

/** Which documents the other side was sent; it may have let some go again, and then asks for all. */
export class SentVersions {
  readonly #versionsMax: number;
  readonly #versions = new Set<number>();

  constructor(versionsMax: number) {
    this.#versionsMax = versionsMax;
  }

  /** Whether it was not sent yet; from now on it was. */
  isNew(version: number): boolean {
    if (this.#versions.has(version)) return false;
    if (this.#versions.size >= this.#versionsMax) this.#versions.clear();
    this.#versions.add(version);
    return true;
  }
}

export const packNodes = (nodes: Iterable<StoredNode>): string => JSON.stringify(Array.from(nodes, pack));

const pack = (node: StoredNode): PackedNode => {
  const {serial, layout, versionSerial, branch, since, document, part} = node;
  return [serial, layout.serial, versionSerial, branch, since, document, part ?? null];
};

/** `sent` is absent when the other side asks for everything. */
export function packPage(page: Page, sent: SentVersions | undefined): PackedPage {
  const places = new Map<StoredNode, number>();
  const numbers: number[] = [];
  const versions: number[] = [];
  const nodes: [number, PackedNode][] = [];
  const keys: string[] = [];
  const properties: EdgeProperties[] = [];
  const packNode = (node: StoredNode): number => {
    const known = places.get(node);
    if (known !== undefined) return known;
    const place = versions.length;
    const isWhole = node.part === undefined;
    places.set(node, place);
    versions.push(isWhole ? node.versionSerial : 0);
    if (!isWhole || sent === undefined || sent.isNew(node.versionSerial)) nodes.push([place, pack(node)]);
    return place;
  };
  const packEdge = ({properties: own, updatedAt}: EdgeRecord): void => {
    const isPlain = own === PLAIN_EDGE;
    numbers.push(updatedAt, isPlain ? ABSENT : properties.length);
    if (!isPlain) properties.push(own);
  };
  const packLevel = ({found, count, hasMore}: Page): void => {
    const hasEdges = found.some(({edge}) => edge !== undefined);
    const hasKeys = found.some(({node, cursor}) => cursor[0] !== (node as StoredNode).orderKey);
    const below = found[0]?.included.length ?? 0;
    numbers.push(count ?? ABSENT, Number(hasMore), found.length, below, Number(hasEdges), Number(hasKeys));
    for (const {node, cursor, edge, included} of found) {
      numbers.push(packNode(node as StoredNode));
      if (hasEdges) packEdge(must(edge, 'the edge of a row among those that have one'));
      if (hasKeys) numbers.push(keys.push(cursor[0]) - 1);
      for (const level of included) packLevel(level);
    }
  };
  packLevel(page);
  const matter: PackedMatter = {nodes, keys, properties};
  return {numbers: new Float64Array(numbers), versions, matter: JSON.stringify(matter)};
}

export const unpackNodes = (text: string, layout: GraphLayout): readonly StoredNode[] =>
  (JSON.parse(text) as readonly PackedNode[]).map(node => unpack(node, layout));

function unpack(
  [serial, kind, version, branch, since, document, part]: PackedNode,
  layout: GraphLayout,
): StoredNode {
  const kindLayout = must(layout.bySerial.get(kind), `kind ${kind}`);
  return new StoredNode(
    serial,
    kindLayout,
    version,
    branch,
    since as Instant,
    document,
    part === null ? undefined : part,
  );
}

/** Undefined when a document is neither there nor known here. */
export function unpackPage(packed: PackedPage, layout: GraphLayout, cache: DocumentCache): Page | undefined {
  const matter = JSON.parse(packed.matter) as PackedMatter;
  const nodes = nodesOf(packed.versions, matter, layout, cache);
  if (nodes === undefined) return undefined;
  return new Unpacking(packed.numbers, matter, nodes).level();
}

function nodesOf(
  versions: readonly number[],
  matter: PackedMatter,
  layout: GraphLayout,
  cache: DocumentCache,
): readonly StoredNode[] | undefined {
  const nodes: (StoredNode | undefined)[] = versions.map(() => undefined);
  for (const [place, packed] of matter.nodes) {
    const node = unpack(packed, layout);
    nodes[place] = node;
    if (node.part === undefined) cache.set(node.versionSerial, node);
  }
  for (const [place, version] of versions.entries()) {
    nodes[place] ??= knownNode(version, layout, cache);
    if (nodes[place] === undefined) return undefined;
  }
  return nodes as readonly StoredNode[];
}

function knownNode(version: number, layout: GraphLayout, cache: DocumentCache): StoredNode | undefined {
  const known = cache.get(version);
  const kind = known === undefined ? undefined : layout.bySerial.get(known.layout.serial);
  if (known === undefined || kind === undefined) return undefined;
  return known.layout === kind ? known : known.withLayout(kind);
}

class Unpacking {
  readonly #numbers: Float64Array;
  readonly #matter: PackedMatter;
  readonly #nodes: readonly StoredNode[];
  #place = 0;

  constructor(numbers: Float64Array, matter: PackedMatter, nodes: readonly StoredNode[]) {
    this.#numbers = numbers;
    this.#matter = matter;
    this.#nodes = nodes;
  }

  level(): Page {
    const count = this.#next();
    const hasMore = this.#next() === 1;
    const rows = this.#next();
    const below = this.#next();
    const hasEdges = this.#next() === 1;
    const hasKeys = this.#next() === 1;
    const found: Found[] = [];
    for (let row = 0; row < rows; row += 1) {
      const node = this.#nodes[this.#next()]!;
      const edge = hasEdges ? this.#edge() : undefined;
      const key = hasKeys ? this.#matter.keys[this.#next()] : undefined;
      const included: Page[] = [];
      for (let each = 0; each < below; each += 1) included.push(this.level());
      found.push(new UnpackedFound(node, key, edge, included));
    }
    return {found, count: count === ABSENT ? undefined : count, hasMore};
  }

  #edge(): EdgeRecord {
    const updatedAt = this.#next() as Instant;
    const own = this.#next();
    return {updatedAt, properties: own === ABSENT ? PLAIN_EDGE : this.#matter.properties[own]!};
  }

  #next(): number {
    this.#place += 1;
    return this.#numbers[this.#place - 1]!;
  }
}

class UnpackedFound implements Found {
  readonly node: StoredNode;
  readonly edge: EdgeRecord | undefined;
  readonly included: readonly Page[];
  readonly #key: string | undefined;

  constructor(
    node: StoredNode,
    key: string | undefined,
    edge: EdgeRecord | undefined,
    included: readonly Page[],
  ) {
    this.node = node;
    this.edge = edge;
    this.included = included;
    this.#key = key;
  }

  /** Few ask for it, and it is told by the node wherever the order is the node's own. */
  get cursor(): Cursor {
    return [this.#key ?? this.node.orderKey, this.node.serial];
  }
}
