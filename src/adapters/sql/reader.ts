import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Dialect} from './dialect.ts';
import type {StoredDocument} from './document.ts';
import type {DocumentCache} from './document-cache.ts';
import type {GraphLayout, KindLayout} from './layout.ts';
import type {Level, Lineage} from './lineage.ts';
import {checksum, damaged, lost} from './sealed-text.ts';
import type {Row, Statement, Work} from './statement.ts';
import {Parameters, read} from './statement.ts';
import type {StoredPart} from './stored-node.ts';
import {StoredNode} from './stored-node.ts';
import {edgeArms, hiddenVersion, versionAt} from './visibility.ts';

/** Which version of a node is visible, before its document is read. */
export interface VisibleVersion {
  readonly serial: number;
  readonly version: number;
  readonly layout: KindLayout;
}

export interface Identified extends VisibleVersion {
  /** The branch on which the version was written. */
  readonly branch: number;
}

export interface VisibleEdge {
  readonly source: number;
  readonly target: number;
  readonly since: Instant;
  readonly properties: string | null;
}

const edgeOf = (row: Row): VisibleEdge => ({
  source: row[0] as number,
  target: row[1] as number,
  since: row[2] as Instant,
  properties: row[3] as string | null,
});

export function parseDocument(version: number, crc: number, text: string): StoredDocument {
  if (checksum(text) !== crc) throw damaged(`Version ${version}`);
  return JSON.parse(text) as StoredDocument;
}

/** Reads of one lineage with one schema: nodes, versions and edges by their numbers. */
export class Reader {
  readonly lineage: Lineage;
  readonly layout: GraphLayout;
  readonly dialect: Dialect;
  readonly cache: DocumentCache;
  #nodeForm: ((id: NodeId) => Statement) | undefined;
  #identityForm: ((id: NodeId) => Statement) | undefined;

  constructor(lineage: Lineage, layout: GraphLayout, dialect: Dialect, cache: DocumentCache) {
    this.lineage = lineage;
    this.layout = layout;
    this.dialect = dialect;
    this.cache = cache;
  }

  *node(id: NodeId): Work<StoredNode | undefined> {
    this.#nodeForm ??= this.#formById('v.node, v.vid, v.kind, v.branch, v.f, v.crc, v.doc');
    const row = (yield this.#nodeForm(id))[0];
    if (row === undefined) return undefined;
    const layout = this.layout.bySerial.get(row[2] as number);
    if (layout === undefined) return undefined;
    const node = this.#admit(row[0] as number, layout, row[1] as number, row, 3);
    return layout.isMixed ? (yield* this.withParts([node]))[0] : node;
  }

  /** Which node it is, of what kind, and on which branch it was written: without its document. */
  *identify(id: NodeId): Work<Identified | undefined> {
    this.#identityForm ??= this.#formById('v.node, v.vid, v.kind, v.branch');
    const row = (yield this.#identityForm(id))[0];
    if (row === undefined) return undefined;
    const layout = this.layout.bySerial.get(row[2] as number);
    if (layout === undefined) return undefined;
    return {serial: row[0] as number, version: row[1] as number, layout, branch: row[3] as number};
  }

  *nodesById(ids: readonly NodeId[]): Work<Map<NodeId, StoredNode>> {
    return (yield* this.look(ids)).nodes;
  }

  /**
   * The visible nodes among these ids, and the numbers of all that there are on any branch. Where nothing stands above
   * the branch one statement tells of most.
   */
  *look(ids: readonly NodeId[]): Work<{
    readonly nodes: Map<NodeId, StoredNode>;
    readonly serials: Map<NodeId, number>;
  }> {
    const nodes = new Map<NodeId, StoredNode>();
    if (this.lineage.branch.length > 1 || ids.length === 1) {
      const serials = yield* this.serialsOf(ids);
      const found = yield* this.load(yield* this.versions([...serials.values()]));
      for (const node of found) nodes.set(node.id, node);
      return {nodes, serials};
    }
    const serials = new Map<NodeId, number>();
    const elsewhere: number[] = [];
    const mixed: StoredNode[] = [];
    for (const row of yield this.#nearest(ids, 'v.vid, v.kind, v.del, v.branch, v.f, v.crc, v.doc')) {
      const serial = row[1] as number;
      serials.set(row[0] as NodeId, serial);
      if (row[2] === null) elsewhere.push(serial);
      const layout = row[4] === 0 ? this.layout.bySerial.get(row[3] as number) : undefined;
      if (layout === undefined) continue;
      const node = this.#admit(serial, layout, row[2] as number, row, 5);
      if (layout.isMixed) mixed.push(node);
      else nodes.set(node.id, node);
    }
    const others = yield* this.load(yield* this.versions(elsewhere));
    if (mixed.length > 0) others.push(...(yield* this.withParts(mixed)));
    for (const node of others) nodes.set(node.id, node);
    return {nodes, serials};
  }

  /** Which nodes these ids stand for, without their documents; those that are not visible are left out. */
  *identifyAll(ids: readonly NodeId[]): Work<Map<NodeId, VisibleVersion>> {
    const found = new Map<NodeId, VisibleVersion>();
    const elsewhere = new Map<number, NodeId>();
    if (this.lineage.branch.length > 1) {
      for (const [id, serial] of yield* this.serialsOf(ids)) elsewhere.set(serial, id);
    } else {
      for (const row of yield this.#nearest(ids, 'v.vid, v.kind, v.del')) {
        const [id, serial, version] = row as [NodeId, number, number | null];
        if (version === null) elsewhere.set(serial, id);
        const layout = row[4] === 0 ? this.layout.bySerial.get(row[3] as number) : undefined;
        if (layout !== undefined) found.set(id, {serial, version: version!, layout});
      }
    }
    const others = yield* this.versions([...elsewhere.keys()]);
    for (const other of others) found.set(elsewhere.get(other.serial)!, other);
    return found;
  }

  /** Nodes with their versions on the nearest level, where it has some; in the order of their ids, as they lie on disk. */
  #nearest(ids: readonly NodeId[], columns: string): Statement {
    const parameters = new Parameters();
    const list = this.dialect.texts(parameters.bind(JSON.stringify(ids.toSorted())));
    return read(
      `SELECT n.uuid, n.id, ${columns} FROM ${list} p CROSS JOIN node n
       LEFT JOIN ver v ON ${versionAt(this.lineage.branch[0]!, 'v', 'n.id', parameters)} AND v.del < 2
       WHERE n.uuid = p.value`,
      parameters.values,
    );
  }

  *serialsOf(ids: readonly NodeId[]): Work<Map<NodeId, number>> {
    const rows = yield read(
      `SELECT n.uuid, n.id FROM ${this.dialect.texts('?1')} p CROSS JOIN node n WHERE n.uuid = p.value`,
      [JSON.stringify(ids)],
    );
    return new Map(rows.map(row => [row[0] as NodeId, row[1] as number]));
  }

  /**
   * The visible versions among these nodes; those deleted, not yet made or of unknown kinds are left out. Each level
   * is asked only for nodes that no nearer one has a word on.
   */
  *versions(serials: readonly number[]): Work<VisibleVersion[]> {
    const versions: VisibleVersion[] = [];
    let missing = serials;
    for (const level of this.lineage.any) {
      if (missing.length === 0) break;
      const rows = yield this.#wordsAt(level, missing);
      const settled = new Set<number>();
      for (const row of rows) {
        const serial = row[0] as number;
        settled.add(serial);
        const layout = row[3] === 0 ? this.layout.bySerial.get(row[2] as number) : undefined;
        if (layout !== undefined) versions.push({serial, version: row[1] as number, layout});
      }
      if (rows.length > 0) missing = missing.filter(serial => !settled.has(serial));
    }
    return versions;
  }

  /** What one level says of nodes, tombstones included. */
  #wordsAt(level: Level, serials: readonly number[]): Statement {
    const parameters = new Parameters();
    const isSingle = serials.length === 1;
    const list = parameters.bind(isSingle ? serials[0]! : JSON.stringify(serials));
    const from = isSingle ? 'ver v' : `${this.dialect.integers(list)} p CROSS JOIN ver v`;
    const at = versionAt(level, 'v', isSingle ? list : 'p.value', parameters);
    return read(
      `SELECT v.node, v.vid, v.kind, v.del FROM ${from} WHERE ${at} AND v.del < 2`,
      parameters.values,
    );
  }

  *load(versions: readonly VisibleVersion[]): Work<StoredNode[]> {
    // Held from here on: what is admitted may push what was known out of the cache.
    const known = versions.map(version => this.#cached(version));
    const missing: number[] = [];
    for (let place = 0; place < versions.length; place += 1) {
      if (known[place] === undefined) missing.push(versions[place]!.version);
    }
    const fresh = yield* this.#rowsOf(missing);
    let hasMixed = false;
    const nodes = versions.map(({serial, layout, version}, place) => {
      hasMixed ||= layout.isMixed;
      const there = known[place];
      if (there !== undefined) return there;
      const row = fresh.get(version);
      if (row === undefined) throw lost(`Version ${version}`);
      return this.#admit(serial, layout, version, row, 1);
    });
    return hasMixed ? yield* this.withParts(nodes) : nodes;
  }

  *#rowsOf(versions: readonly number[]): Work<ReadonlyMap<number, Row>> {
    if (versions.length === 0) return new Map();
    const rows =
      versions.length === 1
        ? yield read('SELECT vid, branch, f, crc, doc FROM ver WHERE vid = ?1', versions)
        : yield read(
            `SELECT v.vid, v.branch, v.f, v.crc, v.doc FROM ${this.dialect.integers('?1')} p CROSS JOIN ver v WHERE v.vid = p.value`,
            [JSON.stringify(versions)],
          );
    const byVersion = new Map<number, Row>();
    for (const row of rows) byVersion.set(row[0] as number, row);
    return byVersion;
  }

  /** Adds to nodes of mixed kinds the attributes that live on another branch than they do. */
  *withParts(nodes: readonly StoredNode[]): Work<StoredNode[]> {
    const parts = new Map<number, StoredPart>();
    for (const levels of [this.lineage.branch, this.lineage.global]) {
      const agnostic = levels === this.lineage.branch;
      const serials = nodes
        .filter(node => node.layout.isMixed && (node.layout.shape.scope === 'agnostic') === agnostic)
        .map(node => node.serial);
      if (serials.length > 0) yield* this.#readParts(levels, serials, parts);
    }
    return nodes.map(node => (node.layout.isMixed ? node.withPart(parts.get(node.serial)) : node));
  }

  /** The visible edges that leave these nodes with this code, or some of them when a limit is set. */
  *edges(
    sources: readonly number[],
    code: number,
    levels: readonly Level[],
    limit?: number,
  ): Work<VisibleEdge[]> {
    const parameters = new Parameters();
    const single = sources.length === 1;
    const list = parameters.bind(single ? sources[0]! : JSON.stringify(sources));
    const rel = parameters.bind(code);
    const arms = edgeArms(levels, parameters).map(arm =>
      single
        ? `SELECT e.src, e.dst, e.f, e.props FROM ${arm.table} e WHERE e.src = ${list} AND e.rel = ${rel} AND ${arm.where}`
        : `SELECT e.src, e.dst, e.f, e.props FROM ${this.dialect.integers(list)} p CROSS JOIN ${arm.table} e
           WHERE e.src = p.value AND e.rel = ${rel} AND ${arm.where}`,
    );
    const bound = limit === undefined ? '' : ` LIMIT ${parameters.bind(limit)}`;
    const rows = yield read(`${arms.join(' UNION ALL ')}${bound}`, parameters.values);
    return rows.map(edgeOf);
  }

  /**
   * The visible edges that leave these nodes with this code, and the visible versions at their other ends. Where nothing
   * stands above the branch both come in one statement; else hardly any version is of the nearest level.
   */
  *edgesWithEnds(
    sources: readonly number[],
    code: number,
    levels: readonly Level[],
  ): Work<{readonly edges: readonly VisibleEdge[]; readonly ends: readonly VisibleVersion[]}> {
    const {branch, any} = this.lineage;
    if (branch.length > 1) {
      const edges = yield* this.edges(sources, code, levels);
      return {edges, ends: yield* this.versions([...new Set(edges.map(edge => edge.target))])};
    }
    const parameters = new Parameters();
    const list = this.dialect.integers(parameters.bind(JSON.stringify(sources)));
    const rel = parameters.bind(code);
    const arms = edgeArms(levels, parameters).map(
      arm => `SELECT e.src, e.dst, e.f, e.props, v.vid, v.kind, v.del FROM ${list} p CROSS JOIN ${arm.table} e
        LEFT JOIN ver v ON ${versionAt(any[0]!, 'v', 'e.dst', parameters)} AND v.del < 2
        WHERE e.src = p.value AND e.rel = ${rel} AND ${arm.where}`,
    );
    const rows = yield read(arms.join(' UNION ALL '), parameters.values);
    const met = new Set<number>();
    const unknown: number[] = [];
    const ends: VisibleVersion[] = [];
    for (const row of rows) {
      const serial = row[1] as number;
      if (met.has(serial)) continue;
      met.add(serial);
      if (row[4] === null) unknown.push(serial);
      const layout = row[6] === 0 ? this.layout.bySerial.get(row[5] as number) : undefined;
      if (layout !== undefined) ends.push({serial, version: row[4] as number, layout});
    }
    if (unknown.length > 0) ends.push(...(yield* this.versions(unknown)));
    return {edges: rows.map(edgeOf), ends};
  }

  *#readParts(
    levels: readonly Level[],
    serials: readonly number[],
    parts: Map<number, StoredPart>,
  ): Work<void> {
    const parameters = new Parameters();
    const list = parameters.bind(JSON.stringify(serials));
    const arms = levels.map(
      (level, depth) => `SELECT ${depth}, v.node, v.vid, v.f, v.crc, v.doc
        FROM ${this.dialect.integers(list)} p CROSS JOIN ver v
        WHERE ${versionAt(level, 'v', 'p.value', parameters)} AND v.del = 2`,
    );
    const rows = yield read(`${arms.join(' UNION ALL ')} ORDER BY 1`, parameters.values);
    for (const row of rows) {
      const serial = row[1] as number;
      if (parts.has(serial)) continue;
      const version = row[2] as number;
      const document = parseDocument(version, row[4] as number, row[5] as string);
      parts.set(serial, {version, since: row[3] as Instant, document});
    }
  }

  /** A statement about one node, put together once for all ids. */
  #formById(columns: string): (id: NodeId) => Statement {
    const parameters = new Parameters();
    const uuid = parameters.bind(null);
    const sql = this.#perLevel(
      parameters,
      (level, hidden) => `SELECT ${columns} FROM node n CROSS JOIN ver v
        WHERE n.uuid = ${uuid} AND ${versionAt(level, 'v', 'n.id', parameters)} AND v.del = 0${hidden}`,
    );
    return id => read(sql, parameters.values.with(0, id));
  }

  #perLevel(parameters: Parameters, arm: (level: Level, hidden: string) => string): string {
    const {branch, global} = this.lineage;
    const arms = branch.map((level, depth) =>
      arm(level, hiddenVersion(branch.slice(0, depth), 'v.node', parameters)),
    );
    for (const level of global) arms.push(arm(level, ''));
    return arms.join(' UNION ALL ');
  }

  #cached(version: VisibleVersion): StoredNode | undefined {
    const node = this.cache.get(version.version);
    return node?.layout === version.layout ? node : undefined;
  }

  /** The node of a row that holds branch, instant, checksum and document from `place` on. */
  #admit(serial: number, layout: KindLayout, version: number, row: Row, place: number): StoredNode {
    const known = this.cache.get(version);
    if (known?.layout === layout) return known;
    const document =
      known?.document ?? parseDocument(version, row[place + 2] as number, row[place + 3] as string);
    const branch = row[place] as number;
    const node = new StoredNode(serial, layout, version, branch, row[place + 1] as Instant, document);
    this.cache.set(version, node);
    return node;
  }
}
