import {describe, expect} from 'vitest';
import type {Instant} from '../../domain/time/instant.ts';
import {MAIN} from '../graph-store-fixtures.ts';
import type {Scenario} from './world.ts';

export function branchesContract(scenario: Scenario): void {
  describe('what a branch sees', () => {
    scenario('what happens on a branch stays there', async world => {
      const site = await world.create('TestSite', {name: 'bern'});
      const [a, b] = [
        await world.create('TestDevice', {name: 'a'}, {links: {site}}),
        await world.create('TestDevice', {name: 'b'}),
      ];
      const branch = await world.branch('feature');
      await world.set(a, {role: 'leaf'}, branch);
      await world.delete(b, branch);
      const c = await world.create('TestDevice', {name: 'c'}, {on: branch, links: {site}});
      await world.unlink(a, 'site', site, branch);
      expect(await world.list({kind: 'TestDevice'})).toEqual(['a', 'b']);
      expect(await world.value(a, 'role')).toBe(null);
      expect(await world.peers(site, 'devices')).toEqual([a]);
      expect(await world.node(c)).toBe(undefined);
      expect(await world.list({kind: 'TestDevice'}, branch)).toEqual(['a', 'c']);
      expect(await world.value(a, 'role', branch)).toBe('leaf');
      expect(await world.peers(site, 'devices', branch)).toEqual([c]);
      expect(await world.node(b, branch)).toBe(undefined);
    });

    scenario('what the origin does after the fork stays invisible on the branch', async world => {
      const site = await world.create('TestSite', {name: 'bern'});
      const [a, b] = [
        await world.create('TestDevice', {name: 'a', role: 'leaf'}),
        await world.create('TestDevice', {name: 'b'}),
      ];
      const branch = await world.branch('feature');
      await world.set(a, {name: 'a2', role: 'spine'});
      await world.delete(b);
      await world.create('TestDevice', {name: 'c'});
      await world.link(a, 'site', site);
      expect(await world.list({kind: 'TestDevice'}, branch)).toEqual(['a', 'b']);
      expect(await world.value(a, 'role', branch)).toBe('leaf');
      expect(await world.peers(a, 'site', branch)).toEqual([]);
      expect((await world.query({kind: 'TestDevice', count: true}, branch)).count).toBe(2);
    });

    scenario('a branch that touches an object keeps the rest of it as it was at the fork', async world => {
      const a = await world.create('TestDevice', {name: 'a', role: 'leaf', status: 'up'});
      const {createdAt} = await world.get(a);
      const branch = await world.branch('feature');
      await world.set(a, {status: 'down'});
      const commit = await world.set(a, {role: 'spine'}, branch);
      expect(await world.value(a, 'status', branch)).toBe('up');
      expect((await world.state(a, 'status', branch)).updatedAt).toBe(createdAt);
      expect(await world.get(a, branch)).toMatchObject({createdAt, updatedAt: commit});
    });

    scenario('an update on a branch that repeats what the origin says leaves no version', async world => {
      const a = await world.create('TestDevice', {name: 'a', role: 'leaf'});
      const branch = await world.branch('feature');
      expect(await world.set(a, {role: 'leaf'}, branch)).toBe(undefined);
      expect((await world.get(a, branch)).version).toBe((await world.get(a)).version);
    });

    scenario(
      'branches nest: each level sees its own word first, then its origin as of the fork',
      async world => {
        const id = await world.create('TestDevice', {name: 'd', role: 'r0', status: 's0'});
        const levels = [MAIN];
        for (const depth of [1, 2, 3, 4]) {
          const branch = await world.branch(`level-${depth}`, levels.at(-1));
          levels.push(branch);
          await world.set(id, depth % 2 === 0 ? {role: `r${depth}`} : {status: `s${depth}`}, branch);
          await world.create('TestTag', {name: `tag-${depth}`}, {on: branch, links: {assets: id}});
        }
        for (const branch of levels) await world.set(id, {name: `moved on ${branch}`}, branch);
        const seen = await Promise.all(
          levels.map(async branch => {
            const node = await world.get(id, branch);
            const tags = await world.list({kind: 'TestTag'}, branch);
            return [node.value('name'), node.value('role'), node.value('status'), tags.length];
          }),
        );
        expect(seen).toEqual([
          ['moved on main', 'r0', 's0', 0],
          ['moved on level-1', 'r0', 's1', 1],
          ['moved on level-2', 'r2', 's1', 2],
          ['moved on level-3', 'r2', 's3', 3],
          ['moved on level-4', 'r4', 's3', 4],
        ]);
        expect(await world.peers(id, 'tags', levels[4])).toHaveLength(4);
        expect(await world.list({kind: 'TestTag'}, levels[4])).toEqual(['tag-1', 'tag-2', 'tag-3', 'tag-4']);
      },
    );

    scenario(
      'a delete on a middle branch hides the object from the branches that fork after it',
      async world => {
        const id = await world.create('TestDevice', {name: 'a'});
        const middle = await world.branch('middle');
        const early = await world.branch('early', middle);
        await world.delete(id, middle);
        const late = await world.branch('late', middle);
        expect(await world.value(id, 'name')).toBe('a');
        expect(await world.value(id, 'name', early)).toBe('a');
        expect(await world.node(id, middle)).toBe(undefined);
        expect(await world.node(id, late)).toBe(undefined);
        expect(await world.list({kind: 'TestDevice'}, late)).toEqual([]);
        expect((await world.query({kind: 'TestDevice', count: true}, late)).count).toBe(0);
      },
    );

    scenario('a branch may leave from a past instant of its origin', async world => {
      const id = await world.create('TestDevice', {name: 'v1'});
      const past = world.store.now();
      await world.set(id, {name: 'v2'});
      await world.create('TestDevice', {name: 'other'});
      const branch = await world.fork('from-the-past', MAIN, past);
      expect(branch.forkedAt).toBe(past);
      expect(branch.createdAt).toBeGreaterThan(past);
      expect(await world.list({kind: 'TestDevice'}, branch.name)).toEqual(['v1']);
      await world.set(id, {role: 'leaf'}, branch.name);
      expect((await world.get(id, branch.name)).value('name')).toBe('v1');
      expect(await world.list({kind: 'TestDevice'})).toEqual(['other', 'v2']);
    });

    scenario(
      'a branch may leave from a past instant of a branch, even before that one existed',
      async world => {
        const id = await world.create('TestDevice', {name: 'v1'});
        const beforeMiddle = world.store.now();
        await world.set(id, {name: 'v2'});
        const middle = await world.branch('middle');
        await world.set(id, {name: 'v3'}, middle);
        const inMiddle = world.store.now();
        await world.set(id, {name: 'v4'}, middle);
        expect(await world.value(id, 'name', await world.branch('one', middle, beforeMiddle))).toBe('v1');
        expect(await world.value(id, 'name', await world.branch('two', middle, inMiddle))).toBe('v3');
        expect(await world.value(id, 'name', await world.branch('three', middle))).toBe('v4');
      },
    );

    scenario(
      'a branch is read at any of its instants, and before it existed its origin answers',
      async world => {
        const id = await world.create('TestDevice', {name: 'v1'});
        const first = world.store.now();
        await world.set(id, {name: 'v2'});
        const second = world.store.now();
        const {name: branch, createdAt} = await world.fork('feature', MAIN, first);
        const own = await world.set(id, {name: 'v3'}, branch);
        const last = await world.delete(id, branch);
        const read = (at: number) => world.value(id, 'name', {branch, at: at as Instant});
        expect(await read(first)).toBe('v1');
        expect(await read(second)).toBe('v2');
        expect(await read(createdAt)).toBe('v1');
        expect(await read(own! - 1)).toBe('v1');
        expect(await read(own!)).toBe('v3');
        expect(await read(last - 1)).toBe('v3');
        expect(await read(last)).toBe(undefined);
      },
    );

    scenario(
      'an edge of the origin that a branch cut and made again is gone for the time between',
      async world => {
        const tag = await world.create('TestTag', {name: 'red'});
        const device = await world.create('TestDevice', {name: 'a'}, {links: {tags: tag}});
        const branch = await world.branch('feature');
        const cut = await world.unlink(device, 'tags', tag, branch);
        const made = await world.link(device, 'tags', tag, {on: branch, isProtected: true});
        const seen = async (at: number) => {
          const point = {branch, at: at as Instant};
          const found = await world.list(
            {kind: 'TestDevice', where: {is: 'related', relationship: 'tags'}},
            point,
          );
          return [
            (await world.peers(device, 'tags', point)).length,
            (await world.peers(tag, 'assets', point)).length,
            found.length,
          ];
        };
        expect(await seen(cut! - 1)).toEqual([1, 1, 1]);
        expect(await seen(cut!)).toEqual([0, 0, 0]);
        expect(await seen(made! - 1)).toEqual([0, 0, 0]);
        expect(await seen(made!)).toEqual([1, 1, 1]);
        const child = await world.branch('child', branch, cut);
        expect(await world.peers(device, 'tags', child)).toEqual([]);
      },
    );

    scenario('an object deleted on a branch may come back there', async world => {
      const id = await world.create('TestDevice', {name: 'a'});
      const branch = await world.branch('feature');
      const deleted = await world.delete(id, branch);
      await world.commit(
        draft => draft.create({id, kind: 'TestDevice', attributes: {name: {value: 'b'}}, isKnown: true}),
        branch,
      );
      expect(await world.value(id, 'name', branch)).toBe('b');
      expect(await world.value(id, 'name')).toBe('a');
      expect(await world.node(id, {branch, at: deleted})).toBe(undefined);
      expect(await world.list({kind: 'TestDevice'}, branch)).toEqual(['b']);
    });
  });
}
