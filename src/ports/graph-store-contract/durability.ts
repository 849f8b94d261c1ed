import {describe, expect} from 'vitest';
import {branchName, DEVICE, freshId, MAIN, putKinds, reshaped, SERVICE} from '../graph-store-fixtures.ts';
import {refusal, type Scenario} from './world.ts';

const HOUR_MICROS = 3_600_000_000;

export function durabilityContract(scenario: Scenario): void {
  describe('a store that is opened again', () => {
    scenario(
      'has everything: objects, edges, history, branches, commits, schema and identity',
      async world => {
        const {deploymentId, oldest} = world.store;
        const site = await world.create('TestSite', {name: 'bern', contacts: ['x']});
        const device = await world.create('TestDevice', {name: 'a'}, {links: {site}});
        const at = world.store.now();
        const branch = await world.branch('feature');
        await world.update(device, {name: {value: 'b', source: freshId(), isProtected: true}}, branch);
        await world.delete(site);
        const branches = await world.store.branches();
        const commits = await world.store.commits({branch: MAIN, limit: 50, newestFirst: false});
        const state = await world.state(device, 'name', branch);
        const {schemaKey} = await world.store.snapshot({branch: MAIN});
        const diff = await world.store.diff({branch});
        await world.reopen();
        expect([world.store.deploymentId, world.store.oldest]).toEqual([deploymentId, oldest]);
        expect(await world.store.branches()).toEqual(branches);
        expect(await world.store.commits({branch: MAIN, limit: 50, newestFirst: false})).toEqual(commits);
        expect(await world.state(device, 'name', branch)).toEqual(state);
        expect(await world.peers(device, 'site')).toEqual([]);
        expect(await world.peers(device, 'site', branch)).toEqual([site]);
        expect(await world.peers(site, 'devices', {branch: MAIN, at})).toEqual([device]);
        expect(await world.value(site, 'contacts', {branch: MAIN, at})).toEqual(['x']);
        expect((await world.store.snapshot({branch: MAIN})).schemaKey).toBe(schemaKey);
        expect(await world.store.diff({branch})).toEqual(diff);
      },
    );

    scenario('goes on writing after the last instant, even when the clock has jumped back', async world => {
      const id = await world.create('TestTag', {name: 'red'});
      const {createdAt} = await world.get(id);
      const told = world.store.now();
      world.clock.micros -= HOUR_MICROS;
      await world.reopen();
      const commit = await world.set(id, {name: 'blue'});
      expect(commit).toBeGreaterThan(createdAt);
      expect(await world.value(id, 'name', {branch: MAIN, at: createdAt})).toBe('red');
      expect(await world.value(id, 'name')).toBe('blue');
      expect(told).toBeGreaterThanOrEqual(createdAt);
    });

    scenario('still keeps values unique and ids apart', async world => {
      const id = await world.create('TestTag', {name: 'red'});
      const branch = await world.branch('feature');
      await world.reopen();
      for (const on of [MAIN, branch]) {
        await expect(world.create('TestTag', {name: 'red'}, {on})).rejects.toMatchObject(
          refusal('CONSTRAINT_VIOLATION'),
        );
      }
      await world.delete(id);
      await world.create('TestTag', {name: 'red'});
      await world.reopen();
      expect(await world.list({kind: 'TestTag'})).toEqual(['red']);
    });

    scenario('goes on with kinds, versions and pages where it was', async world => {
      for (const name of ['c', 'a', 'b']) await world.create('TestDevice', {name, role: 'leaf'});
      const first = await world.query({kind: 'TestDevice', page: {limit: 1, after: null}});
      const attributes = DEVICE.shape.attributes.map(item =>
        item.name === 'weight' ? {...item, indexed: true} : item,
      );
      await putKinds(world.store, MAIN, reshaped(DEVICE, {attributes}));
      await world.reopen();
      const [a] = first.found;
      expect((await world.get(a!.node.id)).version).toBe(a!.node.version);
      expect(await world.list({kind: 'TestDevice', page: {limit: 9, after: a!.cursor}})).toEqual(['b', 'c']);
      expect((await world.store.snapshot({branch: MAIN})).kind('TestDevice')?.attributes).toEqual(attributes);
      await world.set(a!.node.id, {weight: 7});
      expect((await world.get(a!.node.id)).version).not.toBe(a!.node.version);
    });

    scenario('does not bring back a deleted branch', async world => {
      const branch = await world.branch('feature');
      await world.create('TestTag', {name: 'red'}, {on: branch});
      await world.store.deleteBranch(branch, SERVICE);
      await world.reopen();
      await expect(async () => world.store.branch(branchName('feature'))).rejects.toMatchObject(
        refusal('BRANCH_NOT_FOUND'),
      );
      const again = await world.branch('feature');
      expect(await world.list({kind: 'TestTag'}, again)).toEqual([]);
    });

    scenario('is in order', async world => {
      await world.create('TestTag', {name: 'red'});
      await world.store.check();
      await world.reopen();
      await world.store.check();
      expect((await world.store.verify()).problems).toEqual([]);
    });
  });
}
