import {describe, expect, test} from 'vitest';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Draft} from '../../ports/graph-store.ts';
import {refusal, World} from '../../ports/graph-store-contract/world.ts';
import {chosen, freshId, MAIN, SERVICE} from '../../ports/graph-store-fixtures.ts';
import type {MergeDraft} from '../../ports/merge-store.ts';
import {read} from '../sql/statement.ts';
import type {SqliteGraphStore} from './sqlite-graph-store.ts';
import {sqliteHarness} from './sqlite-harness.ts';

const harness = sqliteHarness(0, {turnMillis: 1});
const UNLIMITED_PAGES = 1_073_741_823;
const DEVICES = 2000;

const storeOf = (world: World) => world.store as SqliteGraphStore;

/** As if the disk had room for so many pages more. */
function leaveRoom(world: World, pages: number): void {
  const {writer} = storeOf(world);
  const used = Number(writer.run(read('PRAGMA page_count', []))[0]![0]);
  writer.run(read(`PRAGMA max_page_count = ${used + pages}`, []));
}

const makeRoom = (world: World) =>
  storeOf(world).writer.run(read(`PRAGMA max_page_count = ${UNLIMITED_PAGES}`, []));

async function bulk(world: World, name: string): Promise<void> {
  await world.commit(async draft => {
    for (let index = 0; index < DEVICES; index += 1) {
      const attributes = chosen({name: `${name}-${index}`, status: 'x'.repeat(200)});
      await draft.create({id: freshId(), kind: 'TestDevice', attributes});
    }
  });
}

/** A branch that has made many devices, to be merged in steps. */
async function grown(world: World): Promise<BranchName> {
  const branch = await world.branch('grown');
  await world.store.write(branch, SERVICE, draft => makeDevices(draft));
  return branch;
}

async function makeDevices(draft: Draft): Promise<readonly NodeId[]> {
  const ids = Array.from({length: DEVICES}, freshId);
  for (const [index, id] of ids.entries()) {
    const attributes = chosen({name: `device-${index}`, status: 'x'.repeat(200)});
    await draft.create({id, kind: 'TestDevice', attributes});
  }
  return ids;
}

function land(world: World, branch: BranchName): Promise<unknown> {
  const claim = () => ({branch, nodes: [], peers: [], kinds: ['TestDevice']});
  const body = (draft: MergeDraft) =>
    draft.ahead(claim, async () => {
      await makeDevices(draft);
      await draft.settle(branch);
    });
  return storeOf(world).combine(MAIN, SERVICE, body, DEVICES);
}

const tag = (world: World, name: string, id: NodeId = freshId()) =>
  world.commit(draft => draft.create({id, kind: 'TestTag', attributes: chosen({name})}));

describe('a full disk', () => {
  test('fails the write in a sentence, and the next one works when there is room again', async () => {
    const world = await World.open(harness);
    await tag(world, 'before');
    leaveRoom(world, 4);
    await expect(bulk(world, 'device')).rejects.toMatchObject({
      ...refusal('UNAVAILABLE'),
      message: 'The disk of the data folder is full; nothing was written. Free some space and try again.',
    });
    expect(await world.list({kind: 'TestTag'})).toEqual(['before']);
    expect((await world.query({kind: 'TestDevice', count: true})).count).toBe(0);
    await storeOf(world).check();
    makeRoom(world);
    await bulk(world, 'device');
    await tag(world, 'after');
    await world.reopen();
    expect((await world.query({kind: 'TestDevice', count: true, nodes: false})).count).toBe(DEVICES);
    expect(await world.list({kind: 'TestTag'})).toEqual(['after', 'before']);
    expect((await world.store.verify()).problems).toEqual([]);
    await world.store.close();
  });

  test('of writes that come together acknowledges those alone that are there', async () => {
    const world = await World.open(harness);
    leaveRoom(world, 6);
    const names = Array.from({length: 60}, (_, index) => `tag-${String(index).padStart(2, '0')}`);
    const writes = names.map(name => tag(world, name).then(() => name));
    const settled = await Promise.allSettled([bulk(world, 'a').then(() => 'a'), ...writes, bulk(world, 'b')]);
    const refused = settled.filter(outcome => outcome.status === 'rejected');
    for (const {reason} of refused) expect(reason).toMatchObject(refusal('UNAVAILABLE'));
    expect(refused.length).toBeGreaterThan(0);
    const acknowledged = names.filter((_, index) => settled[index + 1]!.status === 'fulfilled');
    makeRoom(world);
    expect(await world.list({kind: 'TestTag'})).toEqual(acknowledged);
    await world.reopen();
    expect(await world.list({kind: 'TestTag'})).toEqual(acknowledged);
    expect((await world.store.verify()).problems).toEqual([]);
    await world.store.close();
  });

  test('takes back a merge that lands in steps, which works when there is room again', async () => {
    const world = await World.open(harness);
    const branch = await grown(world);
    leaveRoom(world, 300);
    let steps = 0;
    const {writer} = storeOf(world);
    const exec = writer.exec.bind(writer);
    writer.exec = sql => {
      exec(sql);
      if (sql === 'COMMIT') steps += 1;
    };
    await expect(land(world, branch)).rejects.toMatchObject({
      ...refusal('UNAVAILABLE'),
      message: 'The disk of the data folder is full; nothing was written. Free some space and try again.',
    });
    expect(steps).toBeGreaterThan(1);
    expect((await world.query({kind: 'TestDevice', count: true, nodes: false})).count).toBe(0);
    expect((await world.store.verify()).problems).toEqual([]);
    makeRoom(world);
    await land(world, branch);
    expect((await world.query({kind: 'TestDevice', count: true, nodes: false})).count).toBe(DEVICES);
    await world.reopen();
    expect((await world.store.verify()).problems).toEqual([]);
    await world.store.close();
  });

  test('leaves nothing of what was taken back in memory', async () => {
    const world = await World.open(harness);
    const id = freshId();
    leaveRoom(world, 4);
    await expect(
      world.commit(async draft => {
        await draft.create({id, kind: 'TestTag', attributes: chosen({name: 'lost'})});
        await draft.node(id);
        for (let index = 0; index < DEVICES; index += 1) {
          const attributes = chosen({name: `${index}`, status: 'x'.repeat(200)});
          await draft.create({id: freshId(), kind: 'TestDevice', attributes});
        }
      }),
    ).rejects.toMatchObject(refusal('UNAVAILABLE'));
    makeRoom(world);
    const other = await world.create('TestSite', {name: 'bern'});
    expect(await world.node(id)).toBe(undefined);
    expect(await world.value(other, 'name')).toBe('bern');
    await tag(world, 'kept', id);
    expect(await world.value(id, 'name')).toBe('kept');
    expect((await world.store.verify()).problems).toEqual([]);
    await world.store.close();
  });
});

describe('a disk that fails to keep a commit', () => {
  /** A commit fails as one does whose sync failed, after so many that do not. */
  function failNextCommit(world: World, after = 0): void {
    const {writer} = storeOf(world);
    const exec = writer.exec.bind(writer);
    let left = after;
    writer.exec = sql => {
      if (sql !== 'COMMIT') return exec(sql);
      left -= 1;
      if (left >= 0) return exec(sql);
      writer.exec = exec;
      throw Object.assign(new Error('disk I/O error'), {errcode: 10});
    };
  }

  test('is never acknowledged, and nothing more is written until the store is opened again', async () => {
    const world = await World.open(harness);
    const id = await world.create('TestTag', {name: 'before'});
    failNextCommit(world);
    const writes = [world.set(id, {name: 'lost'}), tag(world, 'a'), tag(world, 'b')];
    for (const outcome of await Promise.allSettled(writes)) {
      expect(outcome).toMatchObject({status: 'rejected', reason: refusal('UNAVAILABLE')});
    }
    await expect(world.set(id, {name: 'later'})).rejects.toThrow(/until the service is restarted/);
    await expect(world.branch('later')).rejects.toMatchObject(refusal('UNAVAILABLE'));
    await expect(world.store.check()).rejects.toMatchObject(refusal('UNAVAILABLE'));
    expect(await world.value(id, 'name')).toBe('before');
    await world.reopen();
    expect(await world.value(id, 'name')).toBe('before');
    expect(await world.list({kind: 'TestTag'})).toEqual(['before']);
    await world.set(id, {name: 'after'});
    expect((await world.store.verify()).problems).toEqual([]);
    await world.store.close();
  });

  test('takes nothing of a merge that landed in steps into the next start', async () => {
    const world = await World.open(harness);
    const branch = await grown(world);
    failNextCommit(world, 2);
    await expect(land(world, branch)).rejects.toMatchObject(refusal('UNAVAILABLE'));
    await expect(tag(world, 'later')).rejects.toThrow(/until the service is restarted/);
    expect((await world.query({kind: 'TestDevice', count: true, nodes: false})).count).toBe(0);
    await world.reopen();
    expect((await world.query({kind: 'TestDevice', count: true, nodes: false})).count).toBe(0);
    expect((await world.store.verify()).problems).toEqual([]);
    await land(world, branch);
    expect((await world.query({kind: 'TestDevice', count: true, nodes: false})).count).toBe(DEVICES);
    expect((await world.store.verify()).problems).toEqual([]);
    await world.store.close();
  });

  test('takes a schema that came with it back too', async () => {
    const world = await World.open(harness);
    const before = (await world.store.snapshot({branch: MAIN})).schemaKey;
    failNextCommit(world);
    const kinds = (await world.store.snapshot({branch: MAIN})).kinds();
    const record = kinds.find(({shape}) => shape.name === 'TestTag')!;
    const renamed = {...record, shape: {...record.shape, name: 'TestLabel', orderBy: []}};
    await expect(world.store.write(MAIN, SERVICE, draft => draft.putKind(renamed))).rejects.toMatchObject(
      refusal('UNAVAILABLE'),
    );
    expect((await world.store.snapshot({branch: MAIN})).schemaKey).toBe(before);
    await world.reopen();
    expect((await world.store.snapshot({branch: MAIN})).kind('TestLabel')).toBe(undefined);
    expect((await world.store.verify()).problems).toEqual([]);
    await world.store.close();
  });
});
