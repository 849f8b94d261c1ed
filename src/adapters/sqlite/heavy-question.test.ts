import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {
  ALL_KINDS,
  branchName,
  chosen,
  freshId,
  INTERFACE,
  MAIN,
  putKinds,
  reshaped,
  SERVICE,
  TickingClock,
} from '../../ports/graph-store-fixtures.ts';
import type {SqliteGraphStore} from './sqlite-graph-store.ts';
import {openSqliteGraphStore} from './sqlite-graph-store.ts';

const FEATURE = branchName('feature');
const NEXT = branchName('next');

describe('what a reading thread says of a large branch is what the main thread would say', () => {
  let folder: string;
  const clock = new TickingClock();
  const open = (readWorkers: number) => openSqliteGraphStore({folder, clock, readWorkers});

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'trellis-heavy-'));
  });
  afterEach(() => rmSync(folder, {recursive: true, force: true}));

  const answers = async (store: SqliteGraphStore) => ({
    diff: await store.diff({branch: FEATURE}),
    threeWay: await store.threeWay(FEATURE),
    matter: {...(await store.matter(FEATURE)), at: undefined},
    clashes: await store.clashes(FEATURE),
  });

  test('in changes, edges, choices, schemas and claims', async () => {
    const threaded = await open(1);
    await putKinds(threaded, MAIN, ...ALL_KINDS);
    const site = freshId();
    const devices = Array.from({length: 400}, freshId);
    await fill(threaded, site, devices);
    await fork(threaded, FEATURE);
    await threaded.write(FEATURE, SERVICE, async draft => {
      for (const [index, id] of devices.entries()) {
        if (index % 5 === 0) await draft.delete(id);
        else await draft.update(id, chosen({role: 'spine'}));
      }
      for (const id of Array.from({length: 100}, freshId)) {
        await draft.create({id, kind: 'TestDevice', attributes: chosen({name: `new ${id}`})});
        await draft.link({node: id, relationship: 'site', peer: site}, {isProtected: true});
      }
      await draft.create({id: freshId(), kind: 'TestDevice', attributes: chosen({name: 'claimed'})});
    });
    await putKinds(threaded, FEATURE, reshaped(INTERFACE, {orderBy: []}));
    await threaded.write(MAIN, SERVICE, async draft => {
      for (const id of devices.slice(0, 50)) await draft.update(id, chosen({role: 'core'}));
      await draft.create({id: freshId(), kind: 'TestDevice', attributes: chosen({name: 'claimed'})});
    });
    await threaded.choose(FEATURE, 'some conflict', {side: 'branch', fingerprint: 'print'});
    const byThread = await answers(threaded);
    await threaded.close();
    const alone = await open(0);
    expect(byThread).toEqual(await answers(alone));
    await alone.close();
    expect(byThread.diff.length).toBeGreaterThan(400);
    expect(byThread.matter.choices.get('some conflict')).toEqual({side: 'branch', fingerprint: 'print'});
    expect(byThread.clashes).toHaveLength(1);
  });

  test('after branches were made, merged, rebased and deleted since it started', async () => {
    const threaded = await open(1);
    await putKinds(threaded, MAIN, ...ALL_KINDS);
    const site = freshId();
    const devices = Array.from({length: 300}, freshId);
    await fill(threaded, site, devices);
    const change = (branch: typeof FEATURE, role: string) =>
      threaded.write(branch, SERVICE, async draft => {
        for (const id of devices) await draft.update(id, chosen({role}));
      });
    await fork(threaded, FEATURE);
    await change(FEATURE, 'one');
    expect(await threaded.diff({branch: FEATURE})).toHaveLength(300);
    await threaded.combine(MAIN, SERVICE, async draft => {
      for (const id of devices) await draft.update(id, chosen({role: 'one'}));
      await draft.settle(FEATURE);
    });
    expect(await threaded.diff({branch: FEATURE})).toEqual([]);
    await fork(threaded, NEXT);
    await change(NEXT, 'two');
    await change(FEATURE, 'three');
    await threaded.combine(FEATURE, SERVICE, draft => draft.rebase());
    await threaded.deleteBranch(NEXT, SERVICE);
    await fork(threaded, NEXT);
    await change(NEXT, 'four');
    const byThread = {...(await answers(threaded)), next: await threaded.diff({branch: NEXT})};
    await threaded.close();
    const alone = await open(0);
    expect(byThread).toEqual({...(await answers(alone)), next: await alone.diff({branch: NEXT})});
    await alone.close();
    expect(byThread.next.map(({attributes}) => attributes[0]?.after?.value)).toContain('four');
  });
});

const fork = (store: SqliteGraphStore, name: typeof FEATURE) =>
  store.createBranch({name, origin: MAIN, description: '', syncWithGit: false}, SERVICE);

async function fill(store: SqliteGraphStore, site: NodeId, devices: readonly NodeId[]): Promise<void> {
  await store.write(MAIN, SERVICE, async draft => {
    await draft.create({id: site, kind: 'TestSite', attributes: chosen({name: 'bern'})});
    for (const [index, id] of devices.entries()) {
      await draft.create({id, kind: 'TestDevice', attributes: chosen({name: `d${index}`, role: 'leaf'})});
    }
  });
}
