import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import {openKinds} from '../../domain/query/open-kinds.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {KindRecord, Neighbour, Page, Snapshot} from '../../ports/graph-store.ts';

/** What an answer was made from. */
export interface ReadSet {
  readonly nodes: ReadonlySet<NodeId>;
  /** Any object of these kinds may enter the answer by a change of its own. */
  readonly kinds: ReadonlySet<string>;
}

/** A snapshot that remembers what was read through it. */
export class RecordedSnapshot implements Snapshot {
  readonly #inner: Snapshot;
  readonly #schema: Schema;
  readonly #nodes = new Set<NodeId>();
  readonly #kinds = new Set<string>();

  constructor(inner: Snapshot, schema: Schema) {
    this.#inner = inner;
    this.#schema = schema;
  }

  get read(): ReadSet {
    return {nodes: this.#nodes, kinds: this.#kinds};
  }

  get branch() {
    return this.#inner.branch;
  }

  get at() {
    return this.#inner.at;
  }

  get schemaKey(): string {
    return this.#inner.schemaKey;
  }

  kind(name: string): KindShape | undefined {
    return this.#inner.kind(name);
  }

  kinds(): readonly KindRecord[] {
    return this.#inner.kinds();
  }

  node(id: NodeId): Promise<NodeRecord | undefined> {
    this.#nodes.add(id);
    return this.#inner.node(id);
  }

  nodes(ids: readonly NodeId[]): Promise<readonly (NodeRecord | undefined)[]> {
    for (const id of ids) this.#nodes.add(id);
    return this.#inner.nodes(ids);
  }

  async query(query: NodeQuery): Promise<Page> {
    const page = await this.#inner.query(query);
    this.#remember(page);
    for (const kind of openKinds(this.#schema, query, page)) this.#kinds.add(kind);
    return page;
  }

  async neighbours(id: NodeId, relationship: string): Promise<readonly Neighbour[]> {
    this.#nodes.add(id);
    const neighbours = await this.#inner.neighbours(id, relationship);
    for (const neighbour of neighbours) this.#nodes.add(neighbour.id);
    return neighbours;
  }

  #remember(page: Page): void {
    for (const {node, included} of page.found) {
      this.#nodes.add(node.id);
      for (const inner of included) this.#remember(inner);
    }
  }
}
