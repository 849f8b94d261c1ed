import {describe, expect} from 'vitest';
import type {NodeChange} from '../../domain/diff/change.ts';
import {PLAIN_EDGE} from '../../domain/graph/node.ts';
import {chosen, freshId, MAIN} from '../graph-store-fixtures.ts';
import type {Scenario} from './world.ts';

const byId = (changes: readonly NodeChange[]): NodeChange[] =>
  changes.toSorted((a, b) => (a.id < b.id ? -1 : 1));

export function diffsContract(scenario: Scenario): void {
  describe('diffs', () => {
    scenario('a branch that did nothing differs in nothing', async world => {
      await world.create('TestTag', {name: 'red'});
      const branch = await world.branch('feature');
      await world.create('TestTag', {name: 'blue'});
      expect(await world.store.diff({branch})).toEqual([]);
      expect(await world.store.threeWay(branch)).toEqual({branch: [], origin: []});
    });

    scenario('an added object comes with its values, a removed one with what it had', async world => {
      const old = await world.create('TestTag', {name: 'old'});
      const branch = await world.branch('feature');
      const id = await world.create('TestTag', {name: 'new'}, {on: branch});
      const removed = await world.delete(old, branch);
      const [gone, added] = byId(await world.store.diff({branch}));
      expect(added).toMatchObject({id, kind: 'TestTag', action: 'added', edges: []});
      expect(added?.attributes).toMatchObject([
        {name: 'name', before: undefined, after: {value: 'new', isDefault: false}},
      ]);
      expect(gone).toMatchObject({id: old, kind: 'TestTag', action: 'removed', changedAt: removed});
      expect(gone?.attributes).toMatchObject([{name: 'name', before: {value: 'old'}, after: undefined}]);
    });

    scenario('an updated object tells only what changed, with the time of the last commit', async world => {
      const id = await world.create('TestDevice', {name: 'a', role: 'leaf', status: 'up'});
      const {createdAt} = await world.get(id);
      const branch = await world.branch('feature');
      await world.set(id, {role: 'spine'}, branch);
      const owner = freshId();
      const last = await world.update(id, {status: {owner}}, branch);
      const changes = await world.store.diff({branch});
      expect(changes).toHaveLength(1);
      expect(changes[0]).toMatchObject({
        id,
        kind: 'TestDevice',
        action: 'updated',
        edges: [],
        changedAt: last,
      });
      const attributes = changes[0]?.attributes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      expect(attributes).toMatchObject([
        {name: 'role', before: {value: 'leaf', updatedAt: createdAt}, after: {value: 'spine'}},
        {name: 'status', before: {value: 'up', owner: null}, after: {value: 'up', owner}},
      ]);
    });

    scenario('what was added and removed again, or changed back, is no change', async world => {
      const [id, tag] = [
        await world.create('TestDevice', {name: 'a', role: 'leaf'}),
        await world.create('TestTag', {name: 'red'}),
      ];
      const branch = await world.branch('feature');
      await world.delete(
        await world.create('TestTag', {name: 'blue'}, {on: branch, links: {assets: id}}),
        branch,
      );
      await world.set(id, {role: 'spine'}, branch);
      await world.set(id, {role: 'leaf'}, branch);
      await world.link(id, 'tags', tag, {on: branch});
      await world.unlink(tag, 'assets', id, branch);
      expect(await world.store.diff({branch})).toEqual([]);
    });

    scenario('an object deleted and made again as it was is no change', async world => {
      const id = await world.create('TestTag', {name: 'red'});
      const branch = await world.branch('feature');
      await world.delete(id, branch);
      await world.commit(
        draft => draft.create({id, kind: 'TestTag', attributes: chosen({name: 'red'}), isKnown: true}),
        branch,
      );
      expect(await world.store.diff({branch})).toEqual([]);
    });

    scenario('a changed edge is seen from both its ends', async world => {
      const [device, red, blue] = [
        await world.create('TestDevice', {name: 'a'}),
        await world.create('TestTag', {name: 'red'}),
        await world.create('TestTag', {name: 'blue'}),
      ];
      await world.link(device, 'tags', red);
      const branch = await world.branch('feature');
      await world.link(device, 'tags', red, {on: branch, isProtected: true});
      const last = await world.link(device, 'tags', blue, {on: branch});
      const protectedEdge = {...PLAIN_EDGE, isProtected: true};
      const changes = byId(await world.store.diff({branch}));
      expect(changes.map(change => [change.id, change.action, change.attributes.length])).toEqual([
        [device, 'updated', 0],
        [red, 'updated', 0],
        [blue, 'updated', 0],
      ]);
      expect(changes[0]?.changedAt).toBe(last);
      expect(changes[0]?.edges.toSorted((a, b) => (a.peer < b.peer ? -1 : 1))).toEqual([
        {relationship: 'tags', peer: red, before: PLAIN_EDGE, after: protectedEdge},
        {relationship: 'tags', peer: blue, before: undefined, after: PLAIN_EDGE},
      ]);
      expect(changes[1]?.edges).toEqual([
        {relationship: 'assets', peer: device, before: PLAIN_EDGE, after: protectedEdge},
      ]);
      expect(changes[2]?.edges).toEqual([
        {relationship: 'assets', peer: device, before: undefined, after: PLAIN_EDGE},
      ]);
    });

    scenario('a removed object takes its edges with it, at the other end too', async world => {
      const site = await world.create('TestSite', {name: 'bern'});
      const device = await world.create('TestDevice', {name: 'a'}, {links: {site}});
      const branch = await world.branch('feature');
      await world.delete(device, branch);
      const changes = byId(await world.store.diff({branch}));
      expect(changes).toMatchObject([
        {id: site, action: 'updated', edges: [{relationship: 'devices', peer: device, before: PLAIN_EDGE}]},
        {id: device, action: 'removed', edges: [{relationship: 'site', peer: site, before: PLAIN_EDGE}]},
      ]);
      expect(changes[0]?.edges[0]?.after).toBe(undefined);
    });

    scenario('edges of an object with itself are told once for each of their names', async world => {
      const a = await world.create('TestDevice', {name: 'a'});
      const branch = await world.branch('feature');
      await world.link(a, 'twins', a, {on: branch});
      await world.link(a, 'uplinks', a, {on: branch});
      const [change] = await world.store.diff({branch});
      expect(change?.edges.map(edge => edge.relationship).sort()).toEqual(['downlinks', 'twins', 'uplinks']);
    });

    scenario('a diff between two instants of a branch looks at nothing else', async world => {
      const id = await world.create('TestDevice', {name: 'a', position: 0});
      const instants = [world.store.now()];
      for (const position of [1, 2, 3]) {
        await world.set(id, {position});
        instants.push(world.store.now());
      }
      const positions = async (from: number, to: number) => {
        const [change] = await world.store.diff({branch: MAIN, from: instants[from]!, to: instants[to]!});
        const item = change?.attributes[0];
        return item === undefined ? [] : [item.before?.value, item.after?.value];
      };
      expect(await positions(0, 3)).toEqual([0, 3]);
      expect(await positions(1, 2)).toEqual([1, 2]);
      expect(await positions(2, 2)).toEqual([]);
      await world.set(id, {position: 1});
      instants.push(world.store.now());
      expect(await positions(1, 4)).toEqual([]);
      expect(await positions(2, 4)).toEqual([2, 1]);
      expect((await world.store.diff({branch: MAIN, from: instants[3]!}))[0]?.attributes).toMatchObject([
        {before: {value: 3}, after: {value: 1}},
      ]);
    });

    scenario('a diff of a branch up to an instant leaves out what came later', async world => {
      const id = await world.create('TestDevice', {name: 'a', role: 'r0'});
      const branch = await world.branch('feature');
      await world.set(id, {role: 'r1'}, branch);
      const to = world.store.now();
      await world.set(id, {role: 'r2'}, branch);
      expect((await world.store.diff({branch, to}))[0]?.attributes).toMatchObject([
        {before: {value: 'r0'}, after: {value: 'r1'}},
      ]);
    });

    scenario('a nested branch differs from its own origin alone', async world => {
      const id = await world.create('TestDevice', {name: 'a', role: 'r0'});
      const middle = await world.branch('middle');
      await world.set(id, {role: 'r1'}, middle);
      const child = await world.branch('child', middle);
      expect(await world.store.diff({branch: child})).toEqual([]);
      await world.set(id, {role: 'r2'}, child);
      expect((await world.store.diff({branch: child}))[0]?.attributes).toMatchObject([
        {before: {value: 'r1'}, after: {value: 'r2'}},
      ]);
      expect((await world.store.diff({branch: middle}))[0]?.attributes).toMatchObject([
        {before: {value: 'r0'}, after: {value: 'r1'}},
      ]);
    });

    scenario('three ways: what the branch did, and what the origin did to the same objects', async world => {
      const [both, mine, theirs, gone] = [
        await world.create('TestDevice', {name: 'both', role: 'r0'}),
        await world.create('TestDevice', {name: 'mine', role: 'r0'}),
        await world.create('TestDevice', {name: 'theirs', role: 'r0'}),
        await world.create('TestDevice', {name: 'gone', role: 'r0'}),
      ];
      const branch = await world.branch('feature');
      for (const id of [both, mine, gone]) await world.set(id, {role: 'branch'}, branch);
      for (const id of [both, theirs]) await world.set(id, {role: 'origin'});
      const removed = await world.delete(gone);
      await world.set(both, {status: 'last'}, branch);
      const {branch: ours, origin} = await world.store.threeWay(branch);
      expect(byId(ours).map(change => [change.id, change.action])).toEqual([
        [both, 'updated'],
        [mine, 'updated'],
        [gone, 'updated'],
      ]);
      expect(byId(origin)).toMatchObject([
        {
          id: both,
          action: 'updated',
          attributes: [{name: 'role', before: {value: 'r0'}, after: {value: 'origin'}}],
        },
        {id: gone, action: 'removed', changedAt: removed},
      ]);
    });

    scenario('three ways tell what the origin did to objects that the branch has set back', async world => {
      const id = await world.create('TestDevice', {name: 'a', role: 'r0'});
      const branch = await world.branch('feature');
      await world.set(id, {role: 'branch'}, branch);
      await world.set(id, {role: 'r0'}, branch);
      await world.set(id, {role: 'origin'});
      expect(await world.store.threeWay(branch)).toMatchObject({
        branch: [],
        origin: [{id, attributes: [{name: 'role', after: {value: 'origin'}}]}],
      });
    });

    scenario('three ways on a nested branch weigh its own origin', async world => {
      const id = await world.create('TestDevice', {name: 'a', role: 'r0'});
      const middle = await world.branch('middle');
      const child = await world.branch('child', middle);
      await world.set(id, {role: 'main'});
      await world.set(id, {role: 'child'}, child);
      expect((await world.store.threeWay(child)).origin).toEqual([]);
      await world.set(id, {status: 'middle'}, middle);
      expect((await world.store.threeWay(child)).origin).toMatchObject([
        {id, attributes: [{name: 'status', before: {value: null}, after: {value: 'middle'}}]},
      ]);
    });
  });
}
