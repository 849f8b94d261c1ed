import {must} from '../../base/assert.ts';
import type {Awaitable} from '../../base/awaitable.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {branchNotFound} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {KindRecord, Neighbour, Page, Snapshot} from '../../ports/graph-store.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import {queriesAt} from '../sql/graph-view.ts';
import type {GraphLayout} from '../sql/layout.ts';
import {fewNeighboursOf, neighboursOf} from '../sql/neighbours.ts';
import type {Queries} from '../sql/query.ts';
import type {Work} from '../sql/statement.ts';
import type {Connection} from './connection.ts';
import type {PackedPage} from './page-codec.ts';
import {unpackNodes, unpackPage} from './page-codec.ts';
import type {ReadPool} from './read-pool.ts';
import {RememberedPages} from './remembered-pages.ts';
import {asServiceError} from './sqlite-error.ts';

/** A question that may look at more rows than this goes to the read workers. */
const ROWS_ON_MAIN_THREAD_MAX = 200;

/** Where a snapshot stands, with the number of its branch. */
interface Place {
  readonly name: BranchName;
  readonly serial: number;
  readonly at: Instant;
}

export class SqliteSnapshot implements Snapshot {
  readonly branch: BranchName;
  readonly at: Instant;
  readonly #serial: number;
  readonly #context: GraphContext;
  readonly #connection: Connection;
  readonly #pages: RememberedPages;
  readonly #layout: GraphLayout;
  /** Answers heavy questions away from the main thread. */
  readonly #pool: ReadPool | undefined;
  readonly #millisMax: number;
  #queries: Queries;
  #revision: number;

  /** `queries` are those of the place as the branches stand now. */
  constructor(
    {name, serial, at}: Place,
    queries: Queries,
    context: GraphContext,
    connection: Connection,
    pages: RememberedPages,
    pool: ReadPool | undefined,
    millisMax: number,
  ) {
    this.branch = name;
    this.at = at;
    this.#serial = serial;
    this.#queries = queries;
    this.#revision = context.book.revision;
    this.#layout = queries.reader.layout;
    this.#context = context;
    this.#connection = connection;
    this.#pages = pages;
    this.#pool = pool;
    this.#millisMax = millisMax;
  }

  get schemaKey(): string {
    return this.#layout.key;
  }

  kind(name: string): KindShape | undefined {
    return this.#layout.kinds.get(name)?.shape;
  }

  kinds(): readonly KindRecord[] {
    return Array.from(this.#layout.kinds.values(), kind => kind.record);
  }

  async node(id: NodeId): Promise<NodeRecord | undefined> {
    this.#refuseDeleted();
    try {
      return this.#connection.drive(this.#queriesNow().reader.node(id));
    } catch (error) {
      throw asServiceError(error);
    }
  }

  async nodes(ids: readonly NodeId[]): Promise<readonly (NodeRecord | undefined)[]> {
    const pool = ids.length > ROWS_ON_MAIN_THREAD_MAX ? this.#pool : undefined;
    if (pool === undefined) {
      const nodes = this.#read(queries => queries.reader.nodesById(ids));
      return ids.map(id => nodes.get(id));
    }
    const packed = await pool.ask({is: 'nodes', ...this.#place(), ids}, this.#millisMax);
    const nodes = unpackNodes(packed as string, this.#layout);
    const byId = new Map(nodes.map(node => [node.id, node]));
    return ids.map(id => byId.get(id));
  }

  query(query: NodeQuery): Awaitable<Page> {
    this.#refuseDeleted();
    const key = RememberedPages.keyOf(this.#serial, this.at, query);
    return this.#pages.find(this.#context.book, key, () => this.#find(query));
  }

  #find(query: NodeQuery): Awaitable<Page> {
    const pool = isHeavy(query, this.#layout) ? this.#pool : undefined;
    if (pool === undefined) return this.#read(queries => queries.run(query));
    return this.#findByThread(pool, query);
  }

  /** Documents that were sent before need not be here any more; then they are sent again. */
  async #findByThread(pool: ReadPool, query: NodeQuery): Promise<Page> {
    const {cache} = this.#context;
    const ask = async (isWhole: boolean) => {
      const question = {is: 'query', ...this.#place(), query, isWhole} as const;
      const packed = (await pool.ask(question, this.#millisMax)) as PackedPage;
      return unpackPage(packed, this.#layout, cache);
    };
    return (await ask(false)) ?? must(await ask(true), 'a page with all that it shows');
  }

  async neighbours(id: NodeId, relationship: string): Promise<readonly Neighbour[]> {
    const pool = this.#pool;
    if (pool === undefined) return this.#read(({reader}) => neighboursOf(reader, id, relationship));
    const few = this.#read(({reader}) => fewNeighboursOf(reader, id, relationship, ROWS_ON_MAIN_THREAD_MAX));
    if (few !== undefined) return few;
    const question = {is: 'neighbours', ...this.#place(), id, relationship} as const;
    return (await pool.ask(question, this.#millisMax)) as readonly Neighbour[];
  }

  #place(): {readonly branch: number; readonly at: Instant} {
    this.#refuseDeleted();
    return {branch: this.#serial, at: this.at};
  }

  /** Of a deleted branch only a part may be left, so nothing of it is shown any more. */
  #refuseDeleted(): void {
    if (this.#context.book.bySerial(this.#serial) === undefined) throw branchNotFound(this.branch);
  }

  /** What was put together to answer holds until something is committed. */
  #queriesNow(): Queries {
    const {views, book} = this.#context;
    if (book.revision !== this.#revision) {
      const known = views.get(book, this.#serial, this.at);
      this.#queries = known ?? this.#connection.drive(queriesAt(this.#context, this.#serial, this.at));
      this.#revision = book.revision;
    }
    return this.#queries;
  }

  /** Without a transaction: this thread is the only one that commits, and it does nothing else meanwhile. */
  #read<T>(work: (queries: Queries) => Work<T>): T {
    this.#refuseDeleted();
    try {
      return this.#connection.drive(work(this.#queriesNow()));
    } catch (error) {
      throw asServiceError(error);
    }
  }
}

/**
 * Judged by the shape of the question alone: a bounded page in the kind's own order, whose filters an index
 * answers, stays on the main thread; everything else may grow with the data.
 */
function isHeavy(query: NodeQuery, layout: GraphLayout): boolean {
  const {where, page, include = []} = query;
  const kinds = layout.members(query.kind);
  const isPoint = where?.is === 'id' && where.in.length <= ROWS_ON_MAIN_THREAD_MAX;
  if (isPoint) {
    const isToMany = (name: string) =>
      kinds.some(kind => kind.relationships.get(name)?.shape.cardinality === 'many');
    return include.some(item => (item.include ?? []).length > 0 || isToMany(item.relationship));
  }
  if (query.order !== undefined || query.count === true) return true;
  if (page === undefined || page.limit > ROWS_ON_MAIN_THREAD_MAX) return true;
  if ('offset' in page && page.offset > ROWS_ON_MAIN_THREAD_MAX) return true;
  if (include.length > 0) return true;
  if (where === undefined) return false;
  const isIndexed =
    where.is === 'attribute' &&
    where.test.op === 'in' &&
    kinds.every(kind => kind.slots.get(where.attribute)?.index !== undefined);
  return !isIndexed;
}
