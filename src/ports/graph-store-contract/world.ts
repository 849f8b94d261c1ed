import {expect, test} from 'vitest';
import {must} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import type {Branch, BranchName} from '../../domain/branch/branch.ts';
import type {ErrorCode} from '../../domain/errors.ts';
import type {AttributeState, AttributeWrites, EdgeProperties, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Clock} from '../clock.ts';
import type {Draft, GraphStore, KindRecord, Page, ReadPoint} from '../graph-store.ts';
import {
  ALL_KINDS,
  branchName,
  chosen,
  freshId,
  MAIN,
  putKinds,
  SERVICE,
  TickingClock,
} from '../graph-store-fixtures.ts';

/** How a backend offers itself to the suites. Each `open` is a new, empty store. */
export interface StoreHarness {
  open(options: {readonly clock: Clock}): Promise<GraphStore>;
  /** Closes the store and opens what it left behind. */
  reopen(store: GraphStore, options: {readonly clock: Clock}): Promise<GraphStore>;
}

export type Scenario = (title: string, body: (world: World) => Promise<void>) => void;

/** A test on a fresh store with the fixture schema, which ends with a proof that the store is whole. */
export const scenarioOn =
  (harness: StoreHarness): Scenario =>
  (title, body) =>
    test(title, async () => {
      const world = await World.open(harness);
      await body(world);
      expect((await world.store.verify()).problems).toEqual([]);
      await world.store.close();
    });

type Links = Readonly<Record<string, NodeId | readonly NodeId[]>>;

/** Short words for what nearly every scenario does. */
export class World {
  store: GraphStore;
  readonly clock: TickingClock;
  readonly harness: StoreHarness;

  constructor(store: GraphStore, clock: TickingClock, harness: StoreHarness) {
    this.store = store;
    this.clock = clock;
    this.harness = harness;
  }

  static async open(harness: StoreHarness, kinds: readonly KindRecord[] = ALL_KINDS): Promise<World> {
    const clock = new TickingClock();
    const store = await harness.open({clock});
    await putKinds(store, MAIN, ...kinds);
    return new World(store, clock, harness);
  }

  async reopen(): Promise<void> {
    this.store = await this.harness.reopen(this.store, {clock: this.clock});
  }

  async commit(body: (draft: Draft) => Promise<unknown>, on: BranchName = MAIN): Promise<Instant> {
    const {commit} = await this.store.write(on, SERVICE, body);
    return must(commit, 'the commit of a body that changes something');
  }

  async create(
    kind: string,
    values: Readonly<Record<string, Json>> = {},
    {on = MAIN, links = {}}: {readonly on?: BranchName; readonly links?: Links} = {},
  ): Promise<NodeId> {
    const id = freshId();
    await this.commit(async draft => {
      await draft.create({id, kind, attributes: chosen(values)});
      for (const [relationship, peers] of Object.entries(links)) {
        for (const peer of typeof peers === 'string' ? [peers] : peers) {
          await draft.link({node: id, relationship, peer});
        }
      }
    }, on);
    return id;
  }

  async update(id: NodeId, attributes: AttributeWrites, on: BranchName = MAIN): Promise<Instant | undefined> {
    return (await this.store.write(on, SERVICE, draft => draft.update(id, attributes))).commit;
  }

  set(
    id: NodeId,
    values: Readonly<Record<string, Json>>,
    on: BranchName = MAIN,
  ): Promise<Instant | undefined> {
    return this.update(id, chosen(values), on);
  }

  delete(id: NodeId, on: BranchName = MAIN): Promise<Instant> {
    return this.commit(draft => draft.delete(id), on);
  }

  async link(
    node: NodeId,
    relationship: string,
    peer: NodeId,
    {on = MAIN, ...properties}: Partial<EdgeProperties> & {readonly on?: BranchName} = {},
  ): Promise<Instant | undefined> {
    const body = (draft: Draft) => draft.link({node, relationship, peer}, properties);
    return (await this.store.write(on, SERVICE, body)).commit;
  }

  async unlink(
    node: NodeId,
    relationship: string,
    peer: NodeId,
    on: BranchName = MAIN,
  ): Promise<Instant | undefined> {
    return (await this.store.write(on, SERVICE, draft => draft.unlink({node, relationship, peer}))).commit;
  }

  async branch(name: string, origin: BranchName = MAIN, at?: Instant): Promise<BranchName> {
    return (await this.fork(name, origin, at)).name;
  }

  fork(name: string, origin: BranchName = MAIN, at?: Instant): Promise<Branch> {
    const request = {name: branchName(name), origin, description: '', syncWithGit: false};
    return this.store.createBranch(at === undefined ? request : {...request, at}, SERVICE);
  }

  async node(id: NodeId, point: ReadPoint | BranchName = MAIN): Promise<NodeRecord | undefined> {
    return (await this.store.snapshot(pointOf(point))).node(id);
  }

  /** The object, which the scenario knows to be there. */
  async get(id: NodeId, point: ReadPoint | BranchName = MAIN): Promise<NodeRecord> {
    return must(await this.node(id, point), `the object ${id}`);
  }

  async state(id: NodeId, name: string, point: ReadPoint | BranchName = MAIN): Promise<AttributeState> {
    return must((await this.get(id, point)).attribute(name), `the attribute ${name}`);
  }

  /** The value of one attribute; `undefined` when the object is not there. */
  async value(id: NodeId, name: string, point: ReadPoint | BranchName = MAIN): Promise<Json | undefined> {
    return (await this.node(id, point))?.value(name);
  }

  async peers(id: NodeId, relationship: string, point: ReadPoint | BranchName = MAIN): Promise<NodeId[]> {
    const snapshot = await this.store.snapshot(pointOf(point));
    return (await snapshot.neighbours(id, relationship)).map(neighbour => neighbour.id).sort();
  }

  async query(query: NodeQuery, point: ReadPoint | BranchName = MAIN): Promise<Page> {
    return (await this.store.snapshot(pointOf(point))).query(query);
  }

  /** One attribute of everything that a query finds, in the order found. */
  async list(query: NodeQuery, point: ReadPoint | BranchName = MAIN, attribute = 'name'): Promise<Json[]> {
    return valuesOf(await this.query(query, point), attribute);
  }
}

export const valuesOf = (page: Page, attribute = 'name'): Json[] =>
  page.found.map(found => found.node.value(attribute));

/** One attribute of everything found, and of the levels below it. */
export const tree = (page: Page): unknown =>
  page.found.map(({node, included}) =>
    included.length === 0 ? node.value('name') : [node.value('name'), ...included.map(tree)],
  );

export const refusal = (code: ErrorCode) => ({name: 'ServiceError', code});

function pointOf(point: ReadPoint | BranchName): ReadPoint {
  return typeof point === 'string' ? {branch: point} : point;
}
