import type {Cursor, Include} from '../../domain/query/node-query.ts';
import type {Found, Page} from '../../ports/graph-store.ts';
import {edgeRecord} from './edge-properties.ts';
import {explicitKeys} from './explicit-order.ts';
import type {RelationshipLayout} from './layout.ts';
import type {Level} from './lineage.ts';
import {levelsOf} from './lineage.ts';
import type {Placed} from './page-slice.ts';
import {comparePlaced, cut, sliceOf, WHOLE} from './page-slice.ts';
import type {VisibleEdge, VisibleVersion} from './reader.ts';
import {conjuncts} from './selection.ts';
import type {Work} from './statement.ts';
import {read} from './statement.ts';
import type {StoredNode} from './stored-node.ts';
import type {Finding} from './transitive.ts';
import {withoutTransitive} from './transitive.ts';

const NO_PAGES: readonly Page[] = [];

/** The pages of related objects of each node, one for each include; a level costs the same for one node as for all. */
export function* includePages(
  queries: Finding,
  nodes: readonly StoredNode[],
  includes: readonly Include[],
): Work<readonly (readonly Page[])[]> {
  if (includes.length === 0 || nodes.length === 0) return nodes.map(() => NO_PAGES);
  const columns: (readonly Page[])[] = [];
  for (const include of includes) columns.push(yield* includeColumn(queries, nodes, include));
  return nodes.map((_, place) => columns.map(column => column[place]!));
}

function* includeColumn(
  queries: Finding,
  nodes: readonly StoredNode[],
  include: Include,
): Work<readonly Page[]> {
  const groups = new Map<number, {readonly relationship: RelationshipLayout; readonly places: number[]}>();
  for (const [place, node] of nodes.entries()) {
    const relationship = node.layout.relationships.get(include.relationship);
    if (relationship === undefined) continue;
    const group = groups.get(relationship.code) ?? {relationship, places: []};
    group.places.push(place);
    groups.set(relationship.code, group);
  }
  const empty: Page = {found: [], count: include.count === true ? 0 : undefined, hasMore: false};
  const pages: Page[] = nodes.map(() => empty);
  for (const {relationship, places} of groups.values()) {
    const group = places.map(place => nodes[place]!);
    const made = yield* groupPages(queries, group, relationship, include);
    for (const [index, place] of places.entries()) pages[place] = made[index]!;
  }
  return pages;
}

function* groupPages(
  queries: Finding,
  nodes: readonly StoredNode[],
  relationship: RelationshipLayout,
  include: Include,
): Work<readonly Page[]> {
  const {edges, ends} = yield* reachedEnds(queries, nodes, relationship, include);
  const matching = yield* matchingVersions(queries, ends, include);
  const placed = yield* inOrder(queries, matching, include);
  const slice = sliceOf(include.page);
  const cuts = nodes.map(node => {
    const own: PlacedEnd[] = [];
    for (const edge of edges.get(node.serial) ?? []) {
      const end = placed.get(edge.target);
      if (end === undefined) continue;
      const {serial, version, layout, key} = end;
      own.push({serial, version, layout, key, edge});
    }
    own.sort(comparePlaced);
    return {...cut(own, slice), count: own.length};
  });
  const counted = (count: number) => (include.count === true ? count : undefined);
  if (include.nodes === false)
    return cuts.map(({count}) => ({found: [], count: counted(count), hasMore: false}));
  const shown = new Map<number, Placed>();
  for (const {items} of cuts) for (const item of items) shown.set(item.serial, item);
  const loaded = yield* queries.reader.load([...shown.values()]);
  const included = yield* includePages(queries, loaded, include.include ?? []);
  const bySerial = new Map(loaded.map((node, place) => [node.serial, {node, included: included[place]!}]));
  return cuts.map(({items, hasMore, count}) => {
    const found: Found[] = items.map(item => {
      const {node, included: pages} = bySerial.get(item.serial)!;
      return {node, cursor: [item.key, item.serial] as Cursor, edge: edgeRecord(item.edge), included: pages};
    });
    return {found, hasMore, count: counted(count)};
  });
}

/** A related object in its place, with the edge that leads to it. */
interface PlacedEnd extends Placed {
  readonly edge: VisibleEdge;
}

interface Reached {
  readonly edges: ReadonlyMap<number, readonly VisibleEdge[]>;
  readonly ends: readonly VisibleVersion[];
}

/** The edges by which each node reaches its related objects, and those objects. */
function* reachedEnds(
  queries: Finding,
  nodes: readonly StoredNode[],
  relationship: RelationshipLayout,
  include: Include,
): Work<Reached> {
  const {reader} = queries;
  if (include.ofDescendants === undefined && include.transitive === undefined) {
    const levels = levelsOf(reader.lineage, relationship.shape.scope);
    const edges = new Map<number, VisibleEdge[]>(nodes.map(node => [node.serial, []]));
    const found = yield* reader.edgesWithEnds([...edges.keys()], relationship.code, levels);
    for (const edge of found.edges) edges.get(edge.source)!.push(edge);
    return {edges, ends: found.ends};
  }
  const edges = yield* reachedEdges(queries, nodes, relationship, include);
  const targets = new Set<number>();
  for (const list of edges.values()) for (const edge of list) targets.add(edge.target);
  return {edges, ends: yield* reader.versions([...targets])};
}

/** The edges by which each node reaches its related objects; the edge of the first arrival. */
function* reachedEdges(
  queries: Finding,
  nodes: readonly StoredNode[],
  relationship: RelationshipLayout,
  include: Include,
): Work<Map<number, VisibleEdge[]>> {
  const {reader} = queries;
  const levels = levelsOf(reader.lineage, relationship.shape.scope);
  const reached = new Map<number, VisibleEdge[]>(nodes.map(node => [node.serial, []]));
  if (include.ofDescendants !== undefined) {
    const owners = yield* descendants(queries, nodes, include.ofDescendants.depthMax);
    const edges = yield* reader.edges([...owners.keys()], relationship.code, levels);
    for (const edge of edges) {
      for (const owner of owners.get(edge.source) ?? []) {
        const list = reached.get(owner)!;
        if (!list.some(known => known.target === edge.target)) list.push(edge);
      }
    }
    return reached;
  }
  const first = yield* reader.edges([...reached.keys()], relationship.code, levels);
  for (const edge of first) if (edge.target !== edge.source) reached.get(edge.source)!.push(edge);
  return yield* followed(queries, reached, relationship.code, levels, include.transitive?.depthMax ?? 1);
}

function* followed(
  queries: Finding,
  reached: Map<number, VisibleEdge[]>,
  code: number,
  levels: readonly Level[],
  depthMax: number,
): Work<Map<number, VisibleEdge[]>> {
  let frontier = new Map<number, Set<number>>();
  for (const [owner, edges] of reached) for (const edge of edges) add(frontier, edge.target, owner);
  for (let depth = 1; depth < depthMax && frontier.size > 0; depth += 1) {
    const edges = yield* queries.reader.edges([...frontier.keys()], code, levels);
    const next = new Map<number, Set<number>>();
    for (const edge of edges) {
      for (const owner of frontier.get(edge.source) ?? []) {
        const list = reached.get(owner)!;
        if (edge.target === owner || list.some(known => known.target === edge.target)) continue;
        list.push(edge);
        add(next, edge.target, owner);
      }
    }
    frontier = next;
  }
  return reached;
}

/** Each node and everything below it, with the nodes it was reached from. */
function* descendants(
  queries: Finding,
  nodes: readonly StoredNode[],
  depthMax: number,
): Work<Map<number, Set<number>>> {
  const itself = () => new Map(nodes.map(node => [node.serial, new Set([node.serial])]));
  const owners = itself();
  const children = nodes[0]?.layout.relationships.get('children');
  if (children === undefined) return owners;
  const levels = levelsOf(queries.reader.lineage, children.shape.scope);
  let frontier = itself();
  for (let depth = 0; depth < depthMax && frontier.size > 0; depth += 1) {
    const edges = yield* queries.reader.edges([...frontier.keys()], children.code, levels);
    const next = new Map<number, Set<number>>();
    for (const edge of edges) {
      for (const owner of frontier.get(edge.source) ?? []) {
        if (owners.get(edge.target)?.has(owner) === true) continue;
        add(owners, edge.target, owner);
        add(next, edge.target, owner);
      }
    }
    frontier = next;
  }
  return owners;
}

function add(map: Map<number, Set<number>>, key: number, item: number): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([item]));
  else set.add(item);
}

function* matchingVersions(
  queries: Finding,
  versions: readonly VisibleVersion[],
  include: Include,
): Work<readonly VisibleVersion[]> {
  if (include.where === undefined) return versions;
  const byKind = new Map<VisibleVersion['layout'], number[]>();
  for (const version of versions) {
    const list = byKind.get(version.layout);
    if (list === undefined) byKind.set(version.layout, [version.serial]);
    else list.push(version.serial);
  }
  const conditions = conjuncts(yield* withoutTransitive(queries, [...byKind.keys()], include.where));
  const matching: VisibleVersion[] = [];
  for (const [kind, serials] of byKind) {
    matching.push(
      ...(yield* queries.placed({kind, source: {is: 'serials', serials}, rest: conditions}, WHOLE)),
    );
  }
  return matching;
}

/** Gives each version its key in the order asked for; documents are read only where the whole level is wanted. */
function* inOrder(
  queries: Finding,
  versions: readonly VisibleVersion[],
  include: Include,
): Work<ReadonlyMap<number, Placed>> {
  const {reader} = queries;
  if (include.order !== undefined) {
    const nodes = yield* reader.load(versions);
    const keys = yield* explicitKeys(reader, nodes, include.order);
    return placedAs(versions, place => keys[place]!);
  }
  if (include.page === undefined || versions.some(version => !queries.isOrdered(version.layout))) {
    const nodes = yield* reader.load(versions);
    return placedAs(versions, place => nodes[place]!.orderKey);
  }
  const keys = new Map<number, string>();
  const unknown: number[] = [];
  for (const {version, layout} of versions) {
    const cached = reader.cache.get(version);
    if (cached?.layout === layout) keys.set(version, cached.orderKey);
    else unknown.push(version);
  }
  if (unknown.length > 0) {
    const sql = `SELECT v.vid, v.sk FROM ${reader.dialect.integers('?1')} p CROSS JOIN ver v WHERE v.vid = p.value`;
    for (const row of yield read(sql, [JSON.stringify(unknown)]))
      keys.set(row[0] as number, row[1] as string);
  }
  return placedAs(versions, place => keys.get(versions[place]!.version)!);
}

function placedAs(
  versions: readonly VisibleVersion[],
  keyOf: (place: number) => string,
): ReadonlyMap<number, Placed> {
  const placed = new Map<number, Placed>();
  for (const [place, {serial, version, layout}] of versions.entries()) {
    placed.set(serial, {serial, version, layout, key: keyOf(place)});
  }
  return placed;
}
