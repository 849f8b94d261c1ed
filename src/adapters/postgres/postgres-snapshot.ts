import type {BranchName} from '../../domain/branch/branch.ts';
import {branchNotFound} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {KindRecord, Neighbour, Page, Snapshot} from '../../ports/graph-store.ts';
import {queriesAt} from '../sql/graph-view.ts';
import type {GraphLayout} from '../sql/layout.ts';
import {neighboursOf} from '../sql/neighbours.ts';
import type {Queries} from '../sql/query.ts';
import type {Work} from '../sql/statement.ts';
import type {Reading} from './reading.ts';

/** A point of the graph. What it answers is settled by its instant, so it holds nothing on the server. */
export class PostgresSnapshot implements Snapshot {
  readonly branch: BranchName;
  readonly at: Instant;
  readonly #serial: number;
  readonly #layout: GraphLayout;
  readonly #reading: Reading;

  constructor(name: BranchName, serial: number, at: Instant, layout: GraphLayout, reading: Reading) {
    this.branch = name;
    this.at = at;
    this.#serial = serial;
    this.#layout = layout;
    this.#reading = reading;
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

  node(id: NodeId): Promise<NodeRecord | undefined> {
    return this.#read(({reader}) => reader.node(id));
  }

  async nodes(ids: readonly NodeId[]): Promise<readonly (NodeRecord | undefined)[]> {
    const nodes = await this.#read(({reader}) => reader.nodesById(ids));
    return ids.map(id => nodes.get(id));
  }

  query(query: NodeQuery): Promise<Page> {
    return this.#read(queries => queries.run(query));
  }

  neighbours(id: NodeId, relationship: string): Promise<readonly Neighbour[]> {
    return this.#read(({reader}) => neighboursOf(reader, id, relationship));
  }

  #read<T>(work: (queries: Queries) => Work<T>): Promise<T> {
    return this.#reading.read(() => this.#work(work));
  }

  *#work<T>(work: (queries: Queries) => Work<T>): Work<T> {
    const {context} = this.#reading;
    // Of a deleted branch only a part may be left, so nothing of it is shown any more.
    if (context.book.bySerial(this.#serial) === undefined) throw branchNotFound(this.branch);
    return yield* work(yield* queriesAt(context, this.#serial, this.at));
  }
}
