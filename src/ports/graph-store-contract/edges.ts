import {describe, expect} from 'vitest';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {chosen, freshId, justBefore, MAIN, SERVICE} from '../graph-store-fixtures.ts';
import type {Scenario, World} from './world.ts';

const device = (world: World, name: string): Promise<NodeId> => world.create('TestDevice', {name});

export function edgesContract(scenario: Scenario): void {
  describe('edges', () => {
    scenario('an edge is seen from both ends, by the name it has on each', async world => {
      const site = await world.create('TestSite', {name: 'bern'});
      const edge = await world.create('TestDevice', {name: 'edge-1'}, {links: {site}});
      expect(await world.peers(edge, 'site')).toEqual([site]);
      expect(await world.peers(site, 'devices')).toEqual([edge]);
      expect(await world.peers(site, 'racks')).toEqual([]);
    });

    scenario('an edge may be made and removed from either end', async world => {
      const [site, edge] = [await world.create('TestSite', {name: 'bern'}), await device(world, 'edge-1')];
      await world.link(site, 'devices', edge);
      expect(await world.peers(edge, 'site')).toEqual([site]);
      await world.unlink(edge, 'site', site);
      expect(await world.peers(site, 'devices')).toEqual([]);
    });

    scenario('a directed relationship of a kind with itself keeps its two ends apart', async world => {
      const [a, b] = [await device(world, 'a'), await device(world, 'b')];
      await world.link(a, 'uplinks', b);
      expect(await world.peers(a, 'uplinks')).toEqual([b]);
      expect(await world.peers(a, 'downlinks')).toEqual([]);
      expect(await world.peers(b, 'downlinks')).toEqual([a]);
      expect(await world.peers(b, 'uplinks')).toEqual([]);
      await world.link(a, 'downlinks', b);
      expect(await world.peers(b, 'uplinks')).toEqual([a]);
      await world.unlink(a, 'uplinks', b);
      expect(await world.peers(b, 'downlinks')).toEqual([]);
      expect(await world.peers(b, 'uplinks')).toEqual([a]);
    });

    scenario('a bidirectional relationship of a kind with itself is one edge', async world => {
      const [a, b] = [await device(world, 'a'), await device(world, 'b')];
      await world.link(a, 'twins', b);
      expect(await world.peers(a, 'twins')).toEqual([b]);
      expect(await world.peers(b, 'twins')).toEqual([a]);
      expect(await world.link(b, 'twins', a)).toBe(undefined);
      await world.unlink(b, 'twins', a);
      expect(await world.peers(a, 'twins')).toEqual([]);
    });

    scenario('edges that are added together are as if added one by one', async world => {
      const bern = await world.create('TestSite', {name: 'bern'});
      const [a, b, c] = [await device(world, 'a'), await device(world, 'b'), await device(world, 'c')];
      const branch = await world.branch('work');
      for (const on of [MAIN, branch]) {
        await world.store.write(on, SERVICE, async draft => {
          const made = await draft.create({
            id: freshId(),
            kind: 'TestDevice',
            attributes: chosen({name: on}),
          });
          await draft.linkAll([
            {end: {node: a, relationship: 'site', peer: bern}, properties: {isProtected: true}},
            {end: {node: b, relationship: 'site', peer: bern}},
            {end: {node: bern, relationship: 'devices', peer: made.id}},
            {end: {node: b, relationship: 'site', peer: bern}},
          ]);
          const seen = await draft.neighbours(bern, 'devices');
          expect(seen.map(({id}) => id).sort()).toEqual([a, b, made.id].sort());
          expect(seen.filter(({edge}) => edge.properties.isProtected).map(({id}) => id)).toEqual([a]);
        });
        expect(await world.peers(bern, 'devices', on)).toHaveLength(3);
        expect(await world.peers(c, 'site', on)).toEqual([]);
      }
    });

    scenario('of edges that are added together none is there when one end is not', async world => {
      const bern = await world.create('TestSite', {name: 'bern'});
      const [a, b] = [await device(world, 'a'), await device(world, 'b')];
      await world.delete(b);
      const edges = [a, b].map(node => ({end: {node, relationship: 'site', peer: bern}}));
      const write = world.store.write(MAIN, SERVICE, draft => draft.linkAll(edges));
      await expect(write).rejects.toThrow(b);
      expect(await world.peers(bern, 'devices')).toEqual([]);
    });

    scenario('an object may be linked to itself', async world => {
      const a = await device(world, 'a');
      await world.link(a, 'twins', a);
      await world.link(a, 'uplinks', a);
      expect(await world.peers(a, 'twins')).toEqual([a]);
      expect(await world.peers(a, 'uplinks')).toEqual([a]);
      expect(await world.peers(a, 'downlinks')).toEqual([a]);
      await world.unlink(a, 'downlinks', a);
      expect(await world.peers(a, 'uplinks')).toEqual([]);
      expect(await world.peers(a, 'twins')).toEqual([a]);
      await world.delete(a);
      expect(await world.node(a)).toBe(undefined);
    });

    scenario('a new edge is plain, and carries what is said of it', async world => {
      const [tag, a, b] = [
        await world.create('TestTag', {name: 'red'}),
        await device(world, 'a'),
        await device(world, 'b'),
      ];
      const [source, owner] = [freshId(), freshId()];
      const first = await world.link(tag, 'assets', a);
      const second = await world.link(b, 'tags', tag, {isProtected: true, isVisible: false, source, owner});
      const snapshot = await world.store.snapshot({branch: MAIN});
      const neighbours = await snapshot.neighbours(tag, 'assets');
      expect(neighbours.toSorted((x, y) => (x.id < y.id ? -1 : 1))).toEqual([
        {
          id: a,
          kind: 'TestDevice',
          edge: {
            properties: {isProtected: false, isVisible: true, source: null, owner: null},
            updatedAt: first,
          },
        },
        {
          id: b,
          kind: 'TestDevice',
          edge: {properties: {isProtected: true, isVisible: false, source, owner}, updatedAt: second},
        },
      ]);
    });

    scenario('linking again sets the properties given and keeps the others', async world => {
      const [tag, a] = [await world.create('TestTag', {name: 'red'}), await device(world, 'a')];
      const source = freshId();
      const made = await world.link(a, 'tags', tag, {source});
      const changed = await world.link(tag, 'assets', a, {isProtected: true});
      const at = async (instant: number) => {
        const snapshot = await world.store.snapshot({
          branch: MAIN,
          at: justBefore((instant + 1) as typeof made & {}),
        });
        return (await snapshot.neighbours(a, 'tags'))[0]?.edge;
      };
      const plain = {isProtected: false, isVisible: true, source, owner: null};
      expect(await at(made!)).toEqual({properties: plain, updatedAt: made});
      expect(await at(changed!)).toEqual({properties: {...plain, isProtected: true}, updatedAt: changed});
    });

    scenario(
      'linking again with nothing new, and unlinking what is not linked, leave no commit',
      async world => {
        const [tag, a] = [await world.create('TestTag', {name: 'red'}), await device(world, 'a')];
        expect(await world.unlink(a, 'tags', tag)).toBe(undefined);
        await world.link(a, 'tags', tag, {isProtected: true});
        expect(await world.link(a, 'tags', tag)).toBe(undefined);
        expect(await world.link(tag, 'assets', a, {isProtected: true})).toBe(undefined);
      },
    );

    scenario('an edge leaves the versions of its objects alone', async world => {
      const [tag, a] = [await world.create('TestTag', {name: 'red'}), await device(world, 'a')];
      const before = await world.get(a);
      await world.link(a, 'tags', tag);
      expect((await world.get(a)).version).toBe(before.version);
      expect((await world.get(a)).updatedAt).toBe(before.updatedAt);
    });

    scenario('how many peers a relationship may have is not the business of the store', async world => {
      const a = await device(world, 'a');
      const sites = [
        await world.create('TestSite', {name: 'bern'}),
        await world.create('TestSite', {name: 'basel'}),
      ];
      for (const site of sites) await world.link(a, 'site', site);
      expect(await world.peers(a, 'site')).toEqual(sites);
    });

    scenario('the two steps of a move may come in any order', async world => {
      const [old, next] = [
        await world.create('TestSite', {name: 'bern'}),
        await world.create('TestSite', {name: 'basel'}),
      ];
      const rack = await world.create('TestRack', {name: 'r1'}, {links: {site: old}});
      await world.commit(async draft => {
        await draft.link({node: rack, relationship: 'site', peer: next});
        await draft.unlink({node: rack, relationship: 'site', peer: old});
      });
      expect(await world.peers(rack, 'site')).toEqual([next]);
      expect(await world.peers(old, 'racks')).toEqual([]);
    });

    scenario(
      'deleting an object ends all its edges, for the peers too, and the past keeps them',
      async world => {
        const [site, tag] = [
          await world.create('TestSite', {name: 'bern'}),
          await world.create('TestTag', {name: 'red'}),
        ];
        const a = await world.create('TestDevice', {name: 'a'}, {links: {site, tags: tag}});
        const b = await world.create('TestDevice', {name: 'b'}, {links: {site, uplinks: a}});
        const commit = await world.delete(a);
        expect(await world.peers(site, 'devices')).toEqual([b]);
        expect(await world.peers(tag, 'assets')).toEqual([]);
        expect(await world.peers(b, 'uplinks')).toEqual([]);
        expect(await world.peers(a, 'site')).toEqual([]);
        const past = {branch: MAIN, at: justBefore(commit)};
        expect(await world.peers(site, 'devices', past)).toEqual([a, b]);
        expect(await world.peers(tag, 'assets', past)).toEqual([a]);
        expect(await world.peers(b, 'uplinks', past)).toEqual([a]);
      },
    );

    scenario('an object that comes back under its old id comes without its old edges', async world => {
      const tag = await world.create('TestTag', {name: 'red'});
      const a = await world.create('TestDevice', {name: 'a'}, {links: {tags: tag}});
      await world.delete(a);
      await world.commit(draft =>
        draft.create({id: a, kind: 'TestDevice', attributes: chosen({name: 'a'}), isKnown: true}),
      );
      expect(await world.peers(a, 'tags')).toEqual([]);
      expect(await world.peers(tag, 'assets')).toEqual([]);
    });

    scenario('an edge that is cut and made again has two lives', async world => {
      const [tag, a] = [await world.create('TestTag', {name: 'red'}), await device(world, 'a')];
      const made = await world.link(a, 'tags', tag);
      const cut = await world.unlink(a, 'tags', tag);
      const again = await world.link(a, 'tags', tag);
      const seen = async (at: number | undefined) => {
        const point = {branch: MAIN, at: at as typeof made & {}};
        return [
          (await world.peers(a, 'tags', point)).length,
          (await world.peers(tag, 'assets', point)).length,
        ];
      };
      expect(await seen(made! - 1)).toEqual([0, 0]);
      expect(await seen(made)).toEqual([1, 1]);
      expect(await seen(cut)).toEqual([0, 0]);
      expect(await seen(again)).toEqual([1, 1]);
    });

    scenario('a relationship that the kind lacks has no peers and cannot be written', async world => {
      const [tag, a] = [await world.create('TestTag', {name: 'red'}), await device(world, 'a')];
      expect(await world.peers(a, 'pets')).toEqual([]);
      await expect(world.link(a, 'pets', tag)).rejects.toThrow();
      expect(await world.peers(freshId(), 'tags')).toEqual([]);
    });

    scenario('a draft sees the edges it has made and cut', async world => {
      const [tag, a] = [await world.create('TestTag', {name: 'red'}), await device(world, 'a')];
      const seen = await world.store.write(MAIN, {account: null}, async draft => {
        await draft.link({node: a, relationship: 'tags', peer: tag});
        const linked = await draft.neighbours(tag, 'assets');
        await draft.unlink({node: tag, relationship: 'assets', peer: a});
        return [linked.length, (await draft.neighbours(a, 'tags')).length];
      });
      expect(seen.value).toEqual([1, 0]);
    });
  });
}
