import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {World} from '../../ports/graph-store-contract/world.ts';
import {chosen, freshId, MAIN} from '../../ports/graph-store-fixtures.ts';
import {sqliteHarness} from './sqlite-harness.ts';

const DEVICES = 10_000;

/** How often the loop of this thread came round while something was under way: never, when that held it all along. */
async function turnsDuring(work: () => unknown, onTurn?: () => void): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    onTurn?.();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

describe('the main thread serves others while', () => {
  let world: World;
  let site: NodeId;
  const devices: NodeId[] = Array.from({length: DEVICES}, freshId);

  beforeAll(async () => {
    world = await World.open(sqliteHarness(1));
    site = await world.create('TestSite', {name: 'bern'});
  });
  afterAll(() => world.store.close());

  test('ten thousand objects are written in one commit', async () => {
    let made = 0;
    let madeBefore = 0;
    let largestShare = 0;
    let isBodyOver = false;
    let turnsInTheEnd = 0;
    const write = () =>
      world.commit(async draft => {
        for (const [index, id] of devices.entries()) {
          await draft.create({id, kind: 'TestDevice', attributes: chosen({name: `d${index}`, role: 'leaf'})});
          await draft.link({node: id, relationship: 'site', peer: site});
          made += 1;
        }
        isBodyOver = true;
      });
    await turnsDuring(write, () => {
      largestShare = Math.max(largestShare, made - madeBefore);
      madeBefore = made;
      if (isBodyOver) turnsInTheEnd += 1;
    });
    expect(largestShare).toBeLessThan(DEVICES / 10);
    expect(turnsInTheEnd).toBeGreaterThan(3);
  });

  test('somebody writes again as soon as they are told', async () => {
    const WRITES = 50;
    const turns = await turnsDuring(async () => {
      for (let each = 0; each < WRITES; each += 1) {
        await world.commit(draft =>
          draft.create({id: freshId(), kind: 'TestTag', attributes: chosen({name: `again-${each}`})}),
        );
      }
    });
    expect(turns).toBeGreaterThanOrEqual(WRITES);
  });

  const reads: Readonly<Record<string, (snapshot: Snapshot) => unknown>> = {
    'everything is listed': snapshot => snapshot.query({kind: 'TestDevice'}),
    'a list is sorted by what no index knows': snapshot =>
      snapshot.query({
        kind: 'TestDevice',
        order: [{by: 'attribute', path: {attribute: 'status', property: 'value'}, descending: true}],
        page: {limit: 10, offset: 0},
      }),
    'every document is searched': snapshot =>
      snapshot.query({
        kind: 'TestDevice',
        where: {is: 'anyAttribute', test: {op: 'contains', text: 'zzz', ignoreCase: true}},
        page: {limit: 10, offset: 0},
      }),
    'an object comes with its thousands of peers': snapshot =>
      snapshot.query({kind: 'TestSite', where: {is: 'id', in: [site]}, include: [{relationship: 'devices'}]}),
    'the thousands of peers of an object are read': snapshot => snapshot.neighbours(site, 'devices'),
    'thousands of objects are read by id': snapshot => snapshot.nodes(devices),
  };

  for (const [title, read] of Object.entries(reads)) {
    test(title, async () => {
      const snapshot = await world.store.snapshot({branch: MAIN});
      expect(await turnsDuring(() => read(snapshot))).toBeGreaterThan(5);
    });
  }

  test('a branch is compared with its origin', async () => {
    const branch = await world.branch('feature');
    await world.commit(async draft => {
      for (const id of devices.slice(0, 2000)) await draft.update(id, chosen({role: 'spine'}));
    }, branch);
    expect(await turnsDuring(() => world.store.diff({branch}))).toBeGreaterThan(5);
    expect(await turnsDuring(() => world.store.threeWay(branch))).toBeGreaterThan(5);
  });

  test('everything is verified', async () => {
    expect(await turnsDuring(() => world.store.verify())).toBeGreaterThan(5);
  });
});
