import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Condition} from '../../domain/query/node-query.ts';
import type {Draft, ReadPoint, Snapshot} from '../../ports/graph-store.ts';
import {World} from '../../ports/graph-store-contract/world.ts';
import {chosen, freshId, MAIN, SERVICE} from '../../ports/graph-store-fixtures.ts';
import {read} from '../sql/statement.ts';
import type {Connection} from './connection.ts';
import type {SqliteGraphStore} from './sqlite-graph-store.ts';
import {sqliteHarness} from './sqlite-harness.ts';

const harness = sqliteHarness(0);

const ROLES = ['leaf', 'spine', 'core'];
export const PLACES = ['main', 'branch', 'nested', 'past'] as const;
export type Place = (typeof PLACES)[number];

export const leaves: Condition = {
  is: 'attribute',
  attribute: 'role',
  property: 'value',
  test: {op: 'in', values: ['leaf']},
};
export const first50 = {limit: 50, after: null};

/** Devices at a site, changed on main, on a branch and on a branch of that, with every kind of row in between. */
export class Network {
  readonly world: World;
  readonly devices: readonly NodeId[];
  readonly site: NodeId;
  readonly points: Readonly<Record<Place, ReadPoint>>;

  constructor(
    world: World,
    site: NodeId,
    devices: readonly NodeId[],
    points: Readonly<Record<Place, ReadPoint>>,
  ) {
    this.world = world;
    this.site = site;
    this.devices = devices;
    this.points = points;
  }

  static async of(size: number): Promise<Network> {
    const world = await World.open(harness);
    const site = await world.create('TestSite', {name: 'bern'});
    const devices = Array.from({length: size}, freshId);
    await world.commit(async draft => {
      for (const [index, id] of devices.entries()) {
        const values = {name: `d${index}`, role: ROLES[index % ROLES.length]!, position: index};
        await draft.create({id, kind: 'TestDevice', attributes: chosen(values)});
        await draft.link({node: id, relationship: 'site', peer: site});
      }
    });
    const at = world.store.now();
    const touch = (on: BranchName) =>
      world.commit(async draft => {
        for (const id of devices) await draft.update(id, chosen({role: 'leaf', status: on}));
        await draft.unlink({node: devices[0]!, relationship: 'site', peer: site});
        await draft.delete(devices[1]!);
      }, on);
    const branch = await world.branch('branch');
    await touch(branch);
    const nested = await world.branch('nested', branch);
    await world.set(devices[2]!, {role: 'core'}, nested);
    await touch(MAIN);
    return new Network(world, site, devices, {
      main: {branch: MAIN},
      branch: {branch},
      nested: {branch: nested},
      past: {branch: MAIN, at},
    });
  }

  get store(): SqliteGraphStore {
    return this.world.store as SqliteGraphStore;
  }

  /** The statements that a question to a snapshot issues. */
  async asked(place: Place, ask: (snapshot: Snapshot) => unknown): Promise<readonly string[]> {
    const snapshot = await this.store.snapshot(this.points[place]);
    return statementsOf(this.store.reader, () => ask(snapshot));
  }

  written(place: Place, body: (draft: Draft) => Promise<unknown>): Promise<readonly string[]> {
    return statementsOf(this.store.writer, () =>
      this.store.write(this.points[place].branch, SERVICE, async draft => body(draft)),
    );
  }

  planOf(statements: readonly string[]): string {
    const explain = (sql: string) => this.store.reader.run(read(`EXPLAIN QUERY PLAN ${sql}`, []));
    return statements.flatMap(sql => explain(sql).map(row => row[3])).join('\n');
  }
}

export async function statementsOf(connection: Connection, work: () => unknown): Promise<readonly string[]> {
  const statements: string[] = [];
  connection.onStatement = sql => statements.push(sql);
  try {
    await work();
  } finally {
    connection.onStatement = undefined;
  }
  return statements;
}
