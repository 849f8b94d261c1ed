import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Condition, Cursor, NodeQuery} from '../../domain/query/node-query.ts';
import type {Found, Page} from '../../ports/graph-store.ts';
import {explicitKeys} from './explicit-order.ts';
import {includePages} from './include.ts';
import type {KindLayout} from './layout.ts';
import {levelsOf} from './lineage.ts';
import type {Placed, Slice} from './page-slice.ts';
import {comparePlaced, cut, sliceOf, WHOLE} from './page-slice.ts';
import type {Reader} from './reader.ts';
import type {HasIndex, Selection} from './selection.ts';
import {conjuncts, countStatement, selectByIndex, selectStatement} from './selection.ts';
import type {Work} from './statement.ts';
import {read} from './statement.ts';
import type {Finding} from './transitive.ts';
import {withoutTransitive} from './transitive.ts';

/** Related objects are looked up first, and their neighbours taken, only while there are few of them. */
const PEERS_TO_START_FROM_MAX = 500;

export class Queries implements Finding {
  readonly reader: Reader;
  readonly hasIndex: HasIndex;
  readonly memberships: (kind: number) => readonly number[];

  constructor(reader: Reader, hasIndex: HasIndex, memberships: (kind: number) => readonly number[]) {
    this.reader = reader;
    this.hasIndex = hasIndex;
    this.memberships = memberships;
  }

  *run(query: NodeQuery): Work<Page> {
    const members = this.reader.layout.members(query.kind);
    const only = singleId(query);
    if (only !== undefined) return yield* this.#point(only, members, query);
    const where =
      query.where === undefined ? undefined : yield* withoutTransitive(this, members, query.where);
    const selections: Selection[] = [];
    for (const kind of members) {
      const selection = yield* this.select(kind, conjuncts(where));
      if (selection !== undefined) selections.push(selection);
    }
    const wantsNodes = query.nodes ?? true;
    const top = wantsNodes
      ? yield* this.#top(selections, query)
      : {items: [], hasMore: false, whole: undefined};
    let count: number | undefined;
    if (query.count === true) count = top.whole ?? (yield* this.count(selections));
    const nodes = yield* this.reader.load(top.items);
    const included = yield* includePages(this, nodes, query.include ?? []);
    const found: Found[] = nodes.map((node, place) => {
      const {key, serial} = top.items[place]!;
      return {node, cursor: [key, serial] as Cursor, edge: undefined, included: included[place]!};
    });
    return {found, count, hasMore: top.hasMore};
  }

  /** One object by its id needs no list of candidates. */
  *#point(id: NodeId, members: readonly KindLayout[], query: NodeQuery): Work<Page> {
    const node = yield* this.reader.node(id);
    const isThere = node !== undefined && members.includes(node.layout);
    const count = query.count === true ? Number(isThere) : undefined;
    if (!isThere || query.nodes === false) return {found: [], count, hasMore: false};
    const [included] = yield* includePages(this, [node], query.include ?? []);
    const cursor: Cursor = [node.orderKey, node.serial];
    return {found: [{node, cursor, edge: undefined, included: included!}], count, hasMore: false};
  }

  /** How to find the objects of a kind that meet the conditions; `undefined` when there can be none. */
  *select(kind: KindLayout, conditions: readonly Condition[]): Work<Selection | undefined> {
    const rest: Condition[] = [];
    let serials: ReadonlySet<number> | undefined;
    for (const condition of conditions) {
      if (condition.is === 'kind') {
        const {name, generics} = kind.shape;
        if (!condition.in.some(item => item === name || generics.includes(item))) return undefined;
      } else if (condition.is === 'id' && serials === undefined) {
        serials = new Set((yield* this.reader.serialsOf(condition.in)).values());
      } else {
        rest.push(condition);
      }
    }
    if (serials !== undefined) return {kind, source: {is: 'serials', serials: [...serials]}, rest};
    const byIndex = selectByIndex(kind, rest, this.hasIndex);
    if (byIndex?.source.is === 'serials') return byIndex;
    if (byIndex?.source.is === 'index' && byIndex.source.index !== kind.membership) return byIndex;
    const byPeers = yield* this.#selectByPeers(kind, rest);
    if (byPeers !== undefined) return byPeers;
    if (byIndex !== undefined) return byIndex;
    return {kind, source: {is: 'serials', serials: yield* this.#membersLevelByLevel(kind)}, rest};
  }

  /** True when the stored order keys of the kind are those of this schema, on every level. */
  isOrdered(kind: KindLayout): boolean {
    return this.hasIndex(kind, kind.membership);
  }

  *count(selections: readonly Selection[]): Work<number> {
    let count = 0;
    for (const selection of selections) {
      const rows = yield countStatement(this.reader, selection);
      count += Number(rows[0]?.[0] ?? 0);
    }
    return count;
  }

  *placed(selection: Selection, slice: Slice): Work<Placed[]> {
    const rows = yield selectStatement(this.reader, selection, slice);
    return rows.map(row => ({
      key: row[0] as string,
      serial: row[1] as number,
      version: row[2] as number,
      layout: selection.kind,
    }));
  }

  *#top(
    selections: readonly Selection[],
    query: NodeQuery,
  ): Work<{
    readonly items: readonly Placed[];
    readonly hasMore: boolean;
    readonly whole: number | undefined;
  }> {
    const slice = sliceOf(query.page);
    const isIndexed = selections.every(({kind}) => this.isOrdered(kind));
    if (query.order !== undefined || !isIndexed) {
      const all: Placed[] = [];
      for (const selection of selections) all.push(...(yield* this.placed(selection, WHOLE)));
      const nodes = yield* this.reader.load(all);
      const keys =
        query.order === undefined
          ? nodes.map(node => node.orderKey)
          : yield* explicitKeys(this.reader, nodes, query.order);
      const ordered = all.map((item, place) => ({...item, key: keys[place]!})).sort(comparePlaced);
      return {...cut(ordered, slice), whole: ordered.length};
    }
    const single = selections.length === 1;
    const limit = slice.limit === null ? null : slice.limit + 1;
    const wanted: Slice = single
      ? {...slice, limit}
      : {after: slice.after, offset: 0, limit: limit === null ? null : limit + slice.offset};
    const lists: Placed[] = [];
    for (const selection of selections) lists.push(...(yield* this.placed(selection, wanted)));
    if (!single) lists.sort(comparePlaced);
    const {items, hasMore} = cut(lists, {after: null, limit: slice.limit, offset: single ? 0 : slice.offset});
    return {items, hasMore, whole: query.page === undefined ? lists.length : undefined};
  }

  /** Starts from related objects when those are few and known by an index: their neighbours are the candidates. */
  *#selectByPeers(kind: KindLayout, conditions: readonly Condition[]): Work<Selection | undefined> {
    for (const condition of conditions) {
      if (condition.is !== 'related' || condition.where === undefined || condition.transitive !== undefined)
        continue;
      const relationship = kind.relationships.get(condition.relationship);
      if (relationship === undefined) return {kind, source: {is: 'serials', serials: []}, rest: []};
      const inner = conjuncts(condition.where);
      if (!inner.some(item => isSelective(item))) continue;
      const peers = yield* this.#fewSerials(relationship.shape.peer, inner);
      if (peers === undefined) continue;
      const levels = levelsOf(this.reader.lineage, relationship.shape.scope);
      const edges = peers.length === 0 ? [] : yield* this.reader.edges(peers, relationship.inverse, levels);
      const serials = [...new Set(edges.map(edge => edge.target))];
      return {kind, source: {is: 'serials', serials}, rest: conditions.filter(item => item !== condition)};
    }
    return undefined;
  }

  *#fewSerials(name: string, conditions: readonly Condition[]): Work<readonly number[] | undefined> {
    const serials: number[] = [];
    for (const kind of this.reader.layout.members(name)) {
      const selection = yield* this.select(kind, conditions);
      if (selection === undefined) continue;
      const isScan = selection.source.is !== 'serials' && selection.rest.length === conditions.length;
      if (isScan) return undefined;
      for (const {serial} of yield* this.placed(selection, {...WHOLE, limit: PEERS_TO_START_FROM_MAX + 1})) {
        serials.push(serial);
      }
      if (serials.length > PEERS_TO_START_FROM_MAX) return undefined;
    }
    return serials;
  }

  /** For a kind whose order differs between the levels: all that was ever a member, to be judged one by one. */
  *#membersLevelByLevel(kind: KindLayout): Work<readonly number[]> {
    const serials = new Set<number>();
    for (const level of levelsOf(this.reader.lineage, kind.shape.scope)) {
      for (const index of this.memberships(kind.serial)) {
        for (const table of ['ix', 'ixh']) {
          const sql = `SELECT node FROM ${table} WHERE branch = ?1 AND attr = ?2 AND val = ''`;
          for (const row of yield read(sql, [level.branch, index])) serials.add(row[0] as number);
        }
      }
    }
    return [...serials];
  }
}

/** The id, when the question is for one object and nothing else decides whether and how it is shown. */
function singleId({where, order, page}: NodeQuery): NodeId | undefined {
  if (where?.is !== 'id' || where.in.length !== 1 || order !== undefined) return undefined;
  const isFirst = page === undefined || ('offset' in page ? page.offset === 0 : page.after === null);
  return isFirst && page?.limit !== 0 ? where.in[0] : undefined;
}

const isSelective = (condition: Condition): boolean =>
  condition.is === 'id' ||
  condition.is === 'related' ||
  (condition.is === 'attribute' && condition.property === 'value' && condition.test.op === 'in');
