import {must} from '../../base/assert.ts';
import {Slices} from '../../base/slices.ts';
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
 * as they are, and as texts. A version never changes: its document goes along once, and afterwards its number will do.
 *
 * Of each level: its count, whether there is more, how many rows, how many pages come with each, and whether the rows
 * have edges and keys of their own; then of each row: the place of its node, its edge, its key, and the pages below it.
 */
export interface PackedPage {
  readonly numbers: Float64Array<ArrayBuffer>;
  /** The versions that the page shows; 0 for nodes that are made of several. */
  readonly versions: readonly number[];
  /** Texts of some nodes each, by their places among the versions. */
  readonly nodes: readonly string[];
  /** The text of a `PackedMatter`. */
  readonly matter: string;
}

type PlacedNodes = readonly (readonly [place: number, node: PackedNode])[];

/** What numbers cannot say. */
interface PackedMatter {
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
/** So many are read without a pause. */
const PIECE_NODES = 200;

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
  const matter: PackedMatter = {keys, properties};
  return {
    numbers: new Float64Array(numbers),
    versions,
    nodes: inPieces(nodes).map(piece => JSON.stringify(piece)),
    matter: JSON.stringify(matter),
  };
}

function inPieces(nodes: PlacedNodes): readonly PlacedNodes[] {
  const pieces: PlacedNodes[] = [];
  for (let from = 0; from < nodes.length; from += PIECE_NODES) {
    pieces.push(nodes.slice(from, from + PIECE_NODES));
  }
  return pieces;
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

/** Undefined when a document is neither there nor known here. A long page is unpacked piece by piece. */
export async function unpackPage(
  packed: PackedPage,
  layout: GraphLayout,
  cache: DocumentCache,
): Promise<Page | undefined> {
  const slices = new Slices();
  const nodes = await nodesOf(packed, layout, cache, slices);
  if (nodes === undefined) return undefined;
  const matter = JSON.parse(packed.matter) as PackedMatter;
  return new Unpacking(packed.numbers, matter, nodes).page(slices);
}

async function nodesOf(
  {versions, nodes: pieces}: PackedPage,
  layout: GraphLayout,
  cache: DocumentCache,
  slices: Slices,
): Promise<readonly StoredNode[] | undefined> {
  // What is known is held first: what comes now may push it out of the cache.
  const nodes = versions.map(version => knownNode(version, layout, cache));
  for (const piece of pieces) {
    for (const [place, packed] of JSON.parse(piece) as PlacedNodes) {
      const node = unpack(packed, layout);
      nodes[place] = node;
      if (node.part === undefined) cache.set(node.versionSerial, node);
    }
    if (slices.isOver) await slices.next();
  }
  return nodes.includes(undefined) ? undefined : (nodes as readonly StoredNode[]);
}

function knownNode(version: number, layout: GraphLayout, cache: DocumentCache): StoredNode | undefined {
  const known = cache.get(version);
  const kind = known === undefined ? undefined : layout.bySerial.get(known.layout.serial);
  if (known === undefined || kind === undefined) return undefined;
  return known.layout === kind ? known : known.withLayout(kind);
}

interface LevelHead {
  readonly count: number | undefined;
  readonly hasMore: boolean;
  readonly rows: number;
  readonly below: number;
  readonly hasEdges: boolean;
  readonly hasKeys: boolean;
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

  async page(slices: Slices): Promise<Page> {
    const head = this.#head();
    const found: Found[] = [];
    for (let row = 0; row < head.rows; row += 1) {
      found.push(this.#row(head));
      if (slices.isOver) await slices.next();
    }
    return {found, count: head.count, hasMore: head.hasMore};
  }

  #level(): Page {
    const head = this.#head();
    const found: Found[] = [];
    for (let row = 0; row < head.rows; row += 1) found.push(this.#row(head));
    return {found, count: head.count, hasMore: head.hasMore};
  }

  #head(): LevelHead {
    const count = this.#next();
    return {
      count: count === ABSENT ? undefined : count,
      hasMore: this.#next() === 1,
      rows: this.#next(),
      below: this.#next(),
      hasEdges: this.#next() === 1,
      hasKeys: this.#next() === 1,
    };
  }

  #row({below, hasEdges, hasKeys}: LevelHead): Found {
    const node = this.#nodes[this.#next()]!;
    const edge = hasEdges ? this.#edge() : undefined;
    const key = hasKeys ? this.#matter.keys[this.#next()] : undefined;
    const included: Page[] = [];
    for (let each = 0; each < below; each += 1) included.push(this.#level());
    return new UnpackedFound(node, key, edge, included);
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
