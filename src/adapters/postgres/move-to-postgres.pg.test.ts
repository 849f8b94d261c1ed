import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import type {GraphStore} from '../../ports/graph-store.ts';
import {refusal, World} from '../../ports/graph-store-contract/world.ts';
import {freshId, MAIN, TickingClock} from '../../ports/graph-store-fixtures.ts';
import {systemClock} from '../clock/system-clock.ts';
import {openSqliteGraphStore} from '../sqlite/sqlite-graph-store.ts';
import {moveToPostgres} from './move-to-postgres.ts';
import {openPostgresGraphStore} from './open-postgres-store.ts';
import {Databases} from './postgres-harness.ts';

const databases = new Databases();
const folder = mkdtempSync(join(tmpdir(), 'trellis-move-'));
afterAll(async () => {
  await databases.close();
  rmSync(folder, {recursive: true, force: true});
});

describe('an embedded database that is moved', () => {
  test('answers as before, now, in the past and on its branches, and goes on from there', async () => {
    const clock = new TickingClock();
    const open = async () => openSqliteGraphStore({folder, clock, readWorkers: 0});
    const world = await World.open({open, reopen: open});
    const site = await world.create('TestSite', {name: 'bern "ü\\\u{1f600}'});
    const devices = [];
    for (let place = 0; place < 30; place += 1) {
      devices.push(await world.create('TestDevice', {name: `d${place}`, role: 'leaf'}, {links: {site}}));
    }
    const before = world.store.now();
    const branch = await world.branch('feature');
    await world.update(devices[0]!, {name: {value: 'moved', source: freshId()}}, branch);
    await world.delete(devices[1]!);
    await world.set(devices[2]!, {name: 'renamed'});
    const at = {branch: MAIN, at: before};
    const all = async (store: GraphStore) => ({
      main: (await new World(store, clock, world.harness).list({kind: 'TestDevice'}, MAIN)) as unknown,
      past: await new World(store, clock, world.harness).list({kind: 'TestDevice'}, at),
      branch: await new World(store, clock, world.harness).list({kind: 'TestDevice'}, branch),
      peers: await new World(store, clock, world.harness).peers(site, 'devices', at),
      diff: await store.diff({branch}),
      commits: await store.commits({branch: MAIN, limit: 100, newestFirst: true}),
      branches: await store.branches(),
      identity: [store.deploymentId, store.oldest],
    });
    const expected = await all(world.store);
    await world.store.close();

    const url = await databases.take();
    const moved = await moveToPostgres({folder, url});
    expect(moved.find(({table}) => table === 'node')?.rows).toBe(31);
    const store = await openPostgresGraphStore({url, clock});
    expect(store.isNew).toBe(false);
    expect(await all(store)).toEqual(expected);
    const there = new World(store, clock, world.harness);
    await there.create('TestDevice', {name: 'later'});
    await expect(there.create('TestDevice', {name: 'renamed'})).rejects.toMatchObject(
      refusal('CONSTRAINT_VIOLATION'),
    );
    expect((await store.verify()).problems).toEqual([]);
    await store.close();

    await expect(moveToPostgres({folder, url})).rejects.toThrow('not empty');
  });

  test('stays where it is when the database cannot be reached', async () => {
    const url = 'postgres://nobody@127.0.0.1:1/nowhere';
    await expect(moveToPostgres({folder, url})).rejects.toThrow('cannot be reached');
    const store = await openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0});
    await store.check();
    await store.close();
  });
});
