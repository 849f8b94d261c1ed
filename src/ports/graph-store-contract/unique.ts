import {describe, expect} from 'vitest';
import {chosen, freshId, MAIN, SERVICE} from '../graph-store-fixtures.ts';
import {refusal, type Scenario} from './world.ts';

const TAKEN = refusal('CONSTRAINT_VIOLATION');

export function uniqueContract(scenario: Scenario): void {
  describe('uniqueness', () => {
    scenario('a unique value is taken once, by create and by update', async world => {
      await world.create('TestTag', {name: 'red'});
      const blue = await world.create('TestTag', {name: 'blue'});
      await expect(world.create('TestTag', {name: 'red'})).rejects.toMatchObject(TAKEN);
      await expect(world.set(blue, {name: 'red'})).rejects.toMatchObject(TAKEN);
      expect(await world.list({kind: 'TestTag'})).toEqual(['blue', 'red']);
    });

    scenario('case, white space and composed letters make different values', async world => {
      for (const name of ['red', 'Red', 'red ', 'é', 'e\u0301', '']) await world.create('TestTag', {name});
      expect(await world.list({kind: 'TestTag'})).toHaveLength(6);
    });

    scenario('a value that was given up or whose holder is gone is free', async world => {
      const [a, b] = [await world.create('TestTag', {name: 'a'}), await world.create('TestTag', {name: 'b'})];
      await world.set(a, {name: 'c'});
      await world.create('TestTag', {name: 'a'});
      await world.delete(b);
      await world.create('TestTag', {name: 'b'});
      expect(await world.list({kind: 'TestTag'})).toEqual(['a', 'b', 'c']);
    });

    scenario('an object without the value is free', async world => {
      await world.create('TestDevice', {name: 'a'});
      await world.create('TestDevice', {name: 'b'});
      const c = await world.create('TestDevice', {name: 'c', asset_tag: '1'});
      await world.set(c, {asset_tag: null});
      await world.create('TestDevice', {name: 'd', asset_tag: '1'});
      expect(await world.list({kind: 'TestDevice'})).toHaveLength(4);
    });

    scenario('a constraint of a generic spans all its kinds', async world => {
      await world.create('TestDevice', {name: 'a', asset_tag: '1'});
      await expect(world.create('TestServer', {name: 'a', asset_tag: '1'})).rejects.toMatchObject(TAKEN);
      const server = await world.create('TestServer', {name: 'a', asset_tag: '2'});
      await expect(world.set(server, {asset_tag: '1'})).rejects.toMatchObject(TAKEN);
      await expect(world.create('TestDevice', {name: 'b', asset_tag: '2'})).rejects.toMatchObject(TAKEN);
    });

    scenario('a composite of a relationship and an attribute is unique as a whole', async world => {
      const [bern, basel] = [
        await world.create('TestSite', {name: 'bern'}),
        await world.create('TestSite', {name: 'basel'}),
      ];
      await world.create('TestRack', {name: 'r1'}, {links: {site: bern}});
      const other = await world.create('TestRack', {name: 'r1'}, {links: {site: basel}});
      const second = await world.create('TestRack', {name: 'r2'}, {links: {site: bern}});
      await expect(world.create('TestRack', {name: 'r1'}, {links: {site: bern}})).rejects.toMatchObject(
        TAKEN,
      );
      await expect(world.set(second, {name: 'r1'})).rejects.toMatchObject(TAKEN);
      const move = world.commit(async draft => {
        await draft.unlink({node: basel, relationship: 'racks', peer: other});
        await draft.link({node: bern, relationship: 'racks', peer: other});
      });
      await expect(move).rejects.toMatchObject(TAKEN);
      expect(await world.peers(other, 'site')).toEqual([basel]);
    });

    scenario(
      'a composite with no peer is free until it has one, from whichever end it comes',
      async world => {
        const site = await world.create('TestSite', {name: 'bern'});
        await world.create('TestRack', {name: 'r1'}, {links: {site}});
        const loose = await world.create('TestRack', {name: 'r1'});
        await world.create('TestRack', {name: 'r1'});
        await expect(world.link(loose, 'site', site)).rejects.toMatchObject(TAKEN);
        await expect(world.link(site, 'racks', loose)).rejects.toMatchObject(TAKEN);
        expect(await world.peers(site, 'racks')).toHaveLength(1);
      },
    );

    scenario('a composite is free again when its peer is deleted or let go', async world => {
      const [bern, basel] = [
        await world.create('TestSite', {name: 'bern'}),
        await world.create('TestSite', {name: 'basel'}),
      ];
      const rack = await world.create('TestRack', {name: 'r1'}, {links: {site: bern}});
      await world.unlink(bern, 'racks', rack);
      await world.create('TestRack', {name: 'r1'}, {links: {site: bern}});
      await world.link(rack, 'site', basel);
      await world.delete(basel);
      expect(await world.peers(rack, 'site')).toEqual([]);
      await expect(world.link(rack, 'site', bern)).rejects.toMatchObject(TAKEN);
    });

    scenario('a composite spans the kinds of a generic too', async world => {
      const device = await world.create('TestDevice', {name: 'a'});
      await world.create('TestInterface', {name: 'eth0'}, {links: {device}});
      await expect(world.create('TestConsole', {name: 'eth0'}, {links: {device}})).rejects.toMatchObject(
        TAKEN,
      );
      const console = await world.create('TestConsole', {name: 'con0'}, {links: {device}});
      await expect(world.set(console, {name: 'eth0'})).rejects.toMatchObject(TAKEN);
    });

    scenario('two objects may swap their unique values in one commit', async world => {
      const [a, b] = [await world.create('TestTag', {name: 'a'}), await world.create('TestTag', {name: 'b'})];
      await world.commit(async draft => {
        await draft.update(a, chosen({name: 'b'}));
        await draft.update(b, chosen({name: 'a'}));
      });
      expect([await world.value(a, 'name'), await world.value(b, 'name')]).toEqual(['b', 'a']);
      await expect(world.create('TestTag', {name: 'a'})).rejects.toMatchObject(TAKEN);
    });

    scenario(
      'a value may pass from a deleted object to a new one in one commit, in either order',
      async world => {
        const first = await world.create('TestTag', {name: 'a'});
        const second = freshId();
        await world.commit(async draft => {
          await draft.create({id: second, kind: 'TestTag', attributes: chosen({name: 'a'})});
          await draft.delete(first);
        });
        const third = freshId();
        await world.commit(async draft => {
          await draft.delete(second);
          await draft.create({id: third, kind: 'TestTag', attributes: chosen({name: 'a'})});
        });
        expect(await world.value(third, 'name')).toBe('a');
        await expect(world.create('TestTag', {name: 'a'})).rejects.toMatchObject(TAKEN);
      },
    );

    scenario('two objects of one commit cannot share a value', async world => {
      const twins = world.commit(async draft => {
        for (const id of [freshId(), freshId()])
          await draft.create({id, kind: 'TestTag', attributes: chosen({name: 'a'})});
      });
      await expect(twins).rejects.toMatchObject(TAKEN);
      expect(await world.list({kind: 'TestTag'})).toEqual([]);
    });

    scenario('a branch keeps uniqueness with what it sees of its origin', async world => {
      const held = await world.create('TestTag', {name: 'held'});
      const freed = await world.create('TestTag', {name: 'freed'});
      const branch = await world.branch('feature');
      await world.delete(held);
      await world.set(freed, {name: 'other'});
      for (const name of ['held', 'freed']) {
        await expect(world.create('TestTag', {name}, {on: branch})).rejects.toMatchObject(TAKEN);
      }
      await world.create('TestTag', {name: 'held'});
      await world.create('TestTag', {name: 'other'}, {on: branch});
      expect(await world.list({kind: 'TestTag'}, branch)).toEqual(['freed', 'held', 'other']);
    });

    scenario('a branch may free and take a value of its origin', async world => {
      const a = await world.create('TestTag', {name: 'a'});
      const branch = await world.branch('feature');
      await world.set(a, {name: 'b'}, branch);
      const taken = await world.create('TestTag', {name: 'a'}, {on: branch});
      await expect(world.set(a, {name: 'a'}, branch)).rejects.toMatchObject(TAKEN);
      await world.delete(taken, branch);
      await world.set(a, {name: 'a'}, branch);
      await expect(world.create('TestTag', {name: 'a'}, {on: branch})).rejects.toMatchObject(TAKEN);
    });

    scenario('the same value may be taken on two branches', async world => {
      const [one, two] = [await world.branch('one'), await world.branch('two')];
      for (const on of [MAIN, one, two]) await world.create('TestTag', {name: 'a'}, {on});
      for (const on of [MAIN, one, two]) {
        await expect(world.create('TestTag', {name: 'a'}, {on})).rejects.toMatchObject(TAKEN);
      }
    });

    scenario('a composite holds on a nested branch over the edges of its origins', async world => {
      const site = await world.create('TestSite', {name: 'bern'});
      const rack = await world.create('TestRack', {name: 'r1'}, {links: {site}});
      const child = await world.branch('child', await world.branch('middle'));
      await expect(world.create('TestRack', {name: 'r1'}, {on: child, links: {site}})).rejects.toMatchObject(
        TAKEN,
      );
      await world.unlink(rack, 'site', site, child);
      await world.create('TestRack', {name: 'r1'}, {on: child, links: {site}});
      await expect(world.link(rack, 'site', site, {on: child})).rejects.toMatchObject(TAKEN);
    });

    scenario('of many that want one value at once exactly one gets it', async world => {
      const branch = await world.branch('feature');
      for (const on of [MAIN, branch]) {
        const attempts = await Promise.allSettled(
          Array.from({length: 10}, () => world.create('TestTag', {name: 'red'}, {on})),
        );
        expect(attempts.filter(attempt => attempt.status === 'fulfilled')).toHaveLength(1);
        for (const attempt of attempts)
          if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject(TAKEN);
        expect(await world.list({kind: 'TestTag'}, on)).toEqual(['red']);
      }
    });

    scenario('many that want different values at once all get them', async world => {
      const names = Array.from({length: 20}, (_, index) => `tag-${String(index).padStart(2, '0')}`);
      await Promise.all(names.map(name => world.create('TestTag', {name})));
      expect(await world.list({kind: 'TestTag'})).toEqual(names);
    });

    scenario('the refusal of one commit leaves those before and after it alone', async world => {
      await world.create('TestTag', {name: 'a'});
      const outcomes = await Promise.allSettled([
        world.create('TestTag', {name: 'b'}),
        world.create('TestTag', {name: 'a'}),
        world.create('TestTag', {name: 'c'}),
      ]);
      expect(outcomes.map(outcome => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await world.list({kind: 'TestTag'})).toEqual(['a', 'b', 'c']);
    });

    scenario('updates that read before they write lose nothing to each other', async world => {
      const id = await world.create('TestDevice', {name: 'a', position: 0});
      await Promise.all(
        Array.from({length: 20}, () =>
          world.store.write(MAIN, SERVICE, async draft => {
            const position = Number((await draft.node(id))?.value('position'));
            await draft.update(id, chosen({position: position + 1}));
          }),
        ),
      );
      expect(await world.value(id, 'position')).toBe(20);
    });
  });
}
