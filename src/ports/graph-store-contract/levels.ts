import {describe, expect} from 'vitest';
import type {Include, NodeQuery} from '../../domain/query/node-query.ts';
import {freshId, MAIN} from '../graph-store-fixtures.ts';
import {is} from './condition-words.ts';
import {type Scenario, tree, valuesOf, type World} from './world.ts';

/** Two sites with two racks each, and in each rack as many devices as its number says. */
async function datacentres(world: World): Promise<void> {
  for (const siteName of ['bern', 'basel']) {
    const site = await world.create('TestSite', {name: siteName});
    for (const number of [1, 2]) {
      const rack = await world.create(
        'TestRack',
        {name: `${siteName}-r${number}`, height: number},
        {links: {site}},
      );
      for (let index = 1; index <= number; index++) {
        const role = index === 1 ? 'leaf' : 'spine';
        await world.create(
          'TestDevice',
          {name: `${siteName}-r${number}-d${index}`, role},
          {links: {rack, site}},
        );
      }
    }
  }
}

export function levelsContract(scenario: Scenario): void {
  describe('levels', () => {
    scenario('related objects come with each object, level by level', async world => {
      await datacentres(world);
      const devices: Include = {relationship: 'devices', count: true};
      const page = await world.query({
        kind: 'TestSite',
        include: [{relationship: 'racks', include: [devices]}],
      });
      expect(tree(page)).toEqual([
        [
          'basel',
          [
            ['basel-r1', ['basel-r1-d1']],
            ['basel-r2', ['basel-r2-d1', 'basel-r2-d2']],
          ],
        ],
        [
          'bern',
          [
            ['bern-r1', ['bern-r1-d1']],
            ['bern-r2', ['bern-r2-d1', 'bern-r2-d2']],
          ],
        ],
      ]);
      const counts = page.found.map(site => site.included[0]?.found.map(rack => rack.included[0]?.count));
      expect(counts).toEqual([
        [1, 2],
        [1, 2],
      ]);
    });

    scenario('each level has its own condition, order, page and count, for each parent', async world => {
      await datacentres(world);
      const leaf = is('role', 'leaf');
      const order = [
        {by: 'attribute', path: {attribute: 'name', property: 'value'}, descending: true},
      ] as const;
      const query: NodeQuery = {
        kind: 'TestSite',
        include: [
          {relationship: 'devices', page: {limit: 2, offset: 0}, count: true},
          {relationship: 'devices', where: leaf, order, count: true},
          {relationship: 'devices', page: {limit: 2, offset: 2}},
          {relationship: 'devices', nodes: false, count: true},
        ],
      };
      const [basel, bern] = (await world.query(query)).found;
      expect(basel?.included.map(page => [valuesOf(page), page.count])).toEqual([
        [['basel-r1-d1', 'basel-r2-d1'], 3],
        [['basel-r2-d1', 'basel-r1-d1'], 2],
        [['basel-r2-d2'], undefined],
        [[], 3],
      ]);
      expect(bern?.included.slice(0, 3).map(page => page.hasMore)).toEqual([true, false, false]);
    });

    scenario('a level is paged by cursor within its parent', async world => {
      await datacentres(world);
      const bern = is('name', 'bern');
      const ask = async (include: Include) => {
        const {found} = await world.query({kind: 'TestSite', where: bern, include: [include]});
        return found[0]!.included[0]!;
      };
      const first = await ask({relationship: 'devices', page: {limit: 2, after: null}});
      expect([valuesOf(first), first.hasMore]).toEqual([['bern-r1-d1', 'bern-r2-d1'], true]);
      const rest = await ask({relationship: 'devices', page: {limit: 2, after: first.found[1]!.cursor}});
      expect([valuesOf(rest), rest.hasMore]).toEqual([['bern-r2-d2'], false]);
    });

    scenario('an object found through a relationship comes with its edge', async world => {
      const device = await world.create('TestDevice', {name: 'a'});
      const tag = await world.create('TestTag', {name: 'red'});
      const source = freshId();
      const commit = await world.link(device, 'tags', tag, {source, isProtected: true});
      const page = await world.query({kind: 'TestDevice', include: [{relationship: 'tags'}]});
      expect(page.found[0]?.edge).toBe(undefined);
      expect(page.found[0]?.included[0]?.found[0]?.edge).toEqual({
        properties: {isProtected: true, isVisible: true, source, owner: null},
        updatedAt: commit,
      });
    });

    scenario('an object shared by several parents comes with each', async world => {
      const tag = await world.create('TestTag', {name: 'red'});
      for (const name of ['a', 'b']) await world.create('TestDevice', {name}, {links: {tags: tag}});
      const page = await world.query({
        kind: 'TestDevice',
        include: [{relationship: 'tags', include: [{relationship: 'assets'}]}],
      });
      expect(tree(page)).toEqual([
        ['a', [['red', ['a', 'b']]]],
        ['b', [['red', ['a', 'b']]]],
      ]);
    });

    scenario(
      'peers of several kinds come in one order, and those without a relationship get an empty page',
      async world => {
        const device = await world.create('TestDevice', {name: 'a'});
        await world.create('TestConsole', {name: 'b-con'}, {links: {device}});
        await world.create('TestInterface', {name: 'a-eth', speed: 10}, {links: {device}});
        await world.create('TestInterface', {name: 'c-eth', speed: 40}, {links: {device}});
        const page = await world.query({kind: 'TestDevice', include: [{relationship: 'interfaces'}]});
        expect(tree(page)).toEqual([['a', ['a-eth', 'b-con', 'c-eth']]]);
        await world.create('TestServer', {name: 'srv'});
        const assets = await world.query({
          kind: 'TestAsset',
          include: [{relationship: 'interfaces', count: true}],
        });
        expect(tree(assets)).toEqual([
          ['a', ['a-eth', 'b-con', 'c-eth']],
          ['srv', []],
        ]);
        expect(assets.found[1]?.included[0]).toEqual({found: [], count: 0, hasMore: false});
        const uncounted = await world.query({kind: 'TestAsset', include: [{relationship: 'interfaces'}]});
        expect(uncounted.found[1]?.included[0]).toEqual({found: [], count: undefined, hasMore: false});
      },
    );

    scenario('levels see the branch and the instant of the read', async world => {
      await datacentres(world);
      const at = world.store.now();
      const branch = await world.branch('feature');
      const query: NodeQuery = {kind: 'TestSite', include: [{relationship: 'racks', count: true}]};
      const [, bern] = (await world.query(query)).found;
      const rack = bern!.included[0]!.found[0]!.node.id;
      await world.set(rack, {name: 'renamed'}, branch);
      await world.create('TestRack', {name: 'new', height: 0}, {on: branch, links: {site: bern!.node.id}});
      await world.delete(rack);
      expect(tree(await world.query(query, branch))).toEqual([
        ['basel', ['basel-r1', 'basel-r2']],
        ['bern', ['new', 'renamed', 'bern-r2']],
      ]);
      expect(tree(await world.query(query))).toEqual([
        ['basel', ['basel-r1', 'basel-r2']],
        ['bern', ['bern-r2']],
      ]);
      expect(tree(await world.query(query, {branch: MAIN, at}))).toEqual([
        ['basel', ['basel-r1', 'basel-r2']],
        ['bern', ['bern-r1', 'bern-r2']],
      ]);
    });

    scenario('a page at the top bounds the work below it', async world => {
      await datacentres(world);
      const page = await world.query({
        kind: 'TestRack',
        page: {limit: 1, offset: 3},
        include: [{relationship: 'site', include: [{relationship: 'racks'}]}, {relationship: 'devices'}],
      });
      expect(tree(page)).toEqual([
        ['bern-r2', [['bern', ['bern-r1', 'bern-r2']]], ['bern-r2-d1', 'bern-r2-d2']],
      ]);
    });
  });
}
