import {describe, expect} from 'vitest';
import type {Instant} from '../../domain/time/instant.ts';
import {freshId, justBefore, MAIN, SERVICE} from '../graph-store-fixtures.ts';
import type {Scenario} from './world.ts';

const HOUR_MICROS = 3_600_000_000;

export function timeContract(scenario: Scenario): void {
  describe('time', () => {
    scenario(
      'an object is read as it was at any instant: before, between versions, and after',
      async world => {
        const id = await world.create('TestDevice', {name: 'v1', role: 'leaf'});
        const {createdAt} = await world.get(id);
        const second = await world.set(id, {name: 'v2'});
        const third = await world.set(id, {name: 'v3'});
        const end = await world.delete(id);
        const name = (at: number) => world.value(id, 'name', {branch: MAIN, at: at as Instant});
        expect(await name(createdAt - 1)).toBe(undefined);
        expect(await name(createdAt)).toBe('v1');
        expect(await name(second! - 1)).toBe('v1');
        expect(await name(second!)).toBe('v2');
        expect(await name(third! - 1)).toBe('v2');
        expect(await name(third!)).toBe('v3');
        expect(await name(end - 1)).toBe('v3');
        expect(await name(end)).toBe(undefined);
      },
    );

    scenario('a list shows the objects, values and order of its instant', async world => {
      const a = await world.create('TestDevice', {name: 'a', role: 'leaf'});
      await world.create('TestDevice', {name: 'b', role: 'leaf'});
      const before = world.store.now();
      await world.set(a, {name: 'z', role: 'spine'});
      await world.create('TestDevice', {name: 'c', role: 'leaf'});
      const leaves = {
        kind: 'TestDevice',
        where: {is: 'attribute', attribute: 'role', property: 'value', test: {op: 'in', values: ['leaf']}},
        count: true,
      } as const;
      expect(await world.list(leaves)).toEqual(['b', 'c']);
      expect(await world.list({kind: 'TestDevice'})).toEqual(['b', 'c', 'z']);
      expect(await world.list(leaves, {branch: MAIN, at: before})).toEqual(['a', 'b']);
      expect((await world.query(leaves, {branch: MAIN, at: before})).count).toBe(2);
    });

    scenario('a snapshot does not see a commit that lands after it', async world => {
      const id = await world.create('TestDevice', {name: 'a'});
      const before = await world.store.snapshot({branch: MAIN});
      await world.set(id, {name: 'b'});
      const tag = await world.create('TestTag', {name: 'red'}, {links: {assets: id}});
      expect((await before.node(id))?.value('name')).toBe('a');
      expect(await before.node(tag)).toBe(undefined);
      expect((await before.query({kind: 'CoreNode', count: true})).count).toBe(1);
      expect(await before.neighbours(id, 'tags')).toEqual([]);
    });

    scenario('every commit has a later instant than the one before, however fast they come', async world => {
      world.clock.stepMicros = 0;
      const commits: Instant[] = [];
      for (const name of ['a', 'b', 'c', 'd']) {
        commits.push(
          await world.commit(draft =>
            draft.create({id: freshId(), kind: 'TestTag', attributes: {name: {value: name}}}),
          ),
        );
      }
      expect(commits).toEqual([...new Set(commits)].sort((a, b) => a - b));
      for (const [index, at] of commits.entries()) {
        expect((await world.query({kind: 'TestTag', count: true}, {branch: MAIN, at})).count).toBe(index + 1);
      }
    });

    scenario('instants go on rising when the clock jumps back an hour', async world => {
      const id = await world.create('TestDevice', {name: 'v1'});
      const {updatedAt} = await world.get(id);
      world.clock.micros -= HOUR_MICROS;
      const second = await world.set(id, {name: 'v2'});
      expect(second).toBeGreaterThan(updatedAt);
      expect(await world.value(id, 'name')).toBe('v2');
      expect(await world.value(id, 'name', {branch: MAIN, at: updatedAt})).toBe('v1');
      expect(world.store.now()).toBeGreaterThanOrEqual(second!);
      const branch = await world.branch('after-the-jump');
      expect(await world.value(id, 'name', branch)).toBe('v2');
      const third = await world.set(id, {name: 'v3'});
      expect(third).toBeGreaterThan(second!);
      expect(await world.value(id, 'name', branch)).toBe('v2');
    });

    scenario('an instant that was told or asked about gains no commit afterwards', async world => {
      const id = await world.create('TestDevice', {name: 'v1'});
      world.clock.micros += HOUR_MICROS;
      world.clock.stepMicros = 0;
      const now = world.store.now();
      const asked = await world.value(id, 'name', {branch: MAIN, at: now});
      const commit = await world.set(id, {name: 'v2'});
      expect(commit).toBeGreaterThan(now);
      expect(await world.value(id, 'name', {branch: MAIN, at: now})).toBe(asked);
      const snapshot = await world.store.snapshot({branch: MAIN});
      await world.set(id, {name: 'v3'});
      expect((await snapshot.node(id))?.value('name')).toBe('v2');
      expect(await world.value(id, 'name', {branch: MAIN, at: snapshot.at})).toBe('v2');
    });

    scenario('history starts where the store began, without a schema', async world => {
      const {store} = world;
      expect(store.oldest).toBeLessThanOrEqual(store.now());
      const first = await store.snapshot({branch: MAIN, at: store.oldest});
      expect(first.kinds()).toEqual([]);
      expect(await first.node(freshId())).toBe(undefined);
      expect(await first.query({kind: 'TestDevice', count: true})).toEqual({
        found: [],
        count: 0,
        hasMore: false,
      });
    });

    scenario('an instant answers the same however often one asks and whatever came after', async world => {
      const site = await world.create('TestSite', {name: 'bern'});
      const device = await world.create('TestDevice', {name: 'a', role: 'leaf'}, {links: {site}});
      const at = world.store.now();
      const ask = async () => {
        const snapshot = await world.store.snapshot({branch: MAIN, at});
        const page = await snapshot.query({
          kind: 'TestSite',
          count: true,
          include: [{relationship: 'devices', count: true}],
        });
        const [found] = page.found;
        return [page.count, found?.included[0]?.count, found?.included[0]?.found[0]?.node.value('role')];
      };
      expect(await ask()).toEqual([1, 1, 'leaf']);
      await world.set(device, {role: 'spine'});
      expect(await ask()).toEqual([1, 1, 'leaf']);
      await world.unlink(device, 'site', site);
      await world.delete(site);
      await world.delete(device);
      expect(await ask()).toEqual([1, 1, 'leaf']);
    });

    scenario('a commit on one branch does not stand between two reads of another', async world => {
      const branch = await world.branch('feature');
      const id = await world.create('TestTag', {name: 'red'});
      const at = (await world.get(id)).createdAt;
      await world.store.write(branch, SERVICE, draft =>
        draft.create({id: freshId(), kind: 'TestTag', attributes: {}}),
      );
      expect((await world.query({kind: 'TestTag', count: true}, {branch: MAIN, at})).count).toBe(1);
      expect(
        (await world.query({kind: 'TestTag', count: true}, {branch: MAIN, at: justBefore(at)})).count,
      ).toBe(0);
    });
  });
}
