import {describe, expect} from 'vitest';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Include, NodeQuery} from '../../domain/query/node-query.ts';
import type {Page} from '../graph-store.ts';
import {freshId, MAIN} from '../graph-store-fixtures.ts';
import {type Scenario, valuesOf, type World} from './world.ts';

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

async function regions(world: World): Promise<Readonly<Record<string, NodeId>>> {
  const ids: Record<string, NodeId> = {};
  for (const [name, parent] of [
    ['world', ''],
    ['europe', 'world'],
    ['asia', 'world'],
    ['alps', 'europe'],
    ['valley', 'alps'],
  ] as const) {
    const up = ids[parent];
    ids[name] = await world.create('TestRegion', {name}, {links: up === undefined ? {} : {parent: up}});
    await world.create('TestSite', {name: `site in ${name}`}, {links: {region: ids[name]!}});
  }
  return ids;
}

const tree = (page: Page): unknown =>
  page.found.map(({node, included}) =>
    included.length === 0 ? node.value('name') : [node.value('name'), ...included.map(tree)],
  );

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
      const leaf = {
        is: 'attribute',
        attribute: 'role',
        property: 'value',
        test: {op: 'in', values: ['leaf']},
      } as const;
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
      const bern = {
        is: 'attribute',
        attribute: 'name',
        property: 'value',
        test: {op: 'in', values: ['bern']},
      } as const;
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

    scenario('a transitive level brings everything above or below, each once, in one order', async world => {
      await regions(world);
      const below = (depthMax: number): Include => ({
        relationship: 'children',
        transitive: {depthMax},
        count: true,
      });
      const page = await world.query({
        kind: 'TestRegion',
        include: [below(9), below(1), below(2), {relationship: 'parent', transitive: {depthMax: 9}}],
      });
      expect(tree(page)).toEqual([
        ['alps', ['valley'], ['valley'], ['valley'], ['europe', 'world']],
        ['asia', [], [], [], ['world']],
        ['europe', ['alps', 'valley'], ['alps'], ['alps', 'valley'], ['world']],
        ['valley', [], [], [], ['alps', 'europe', 'world']],
        ['world', ['alps', 'asia', 'europe', 'valley'], ['asia', 'europe'], ['alps', 'asia', 'europe'], []],
      ]);
      expect(page.found[4]?.included[0]?.count).toBe(4);
    });

    scenario('a transitive level takes conditions, pages and further levels', async world => {
      await regions(world);
      const where = {
        is: 'attribute',
        attribute: 'name',
        property: 'value',
        test: {op: 'startsWith', text: 'a', ignoreCase: false},
      } as const;
      const include: Include = {
        relationship: 'children',
        transitive: {depthMax: 9},
        where,
        count: true,
        page: {limit: 1, offset: 1},
        include: [{relationship: 'sites'}],
      };
      const named = {
        is: 'attribute',
        attribute: 'name',
        property: 'value',
        test: {op: 'in', values: ['world']},
      } as const;
      const page = await world.query({kind: 'TestRegion', where: named, include: [include]});
      expect(tree(page)).toEqual([['world', [['asia', ['site in asia']]]]]);
      expect(page.found[0]?.included[0]).toMatchObject({count: 2, hasMore: false});
    });

    scenario('the peers of all descendants come with an object when asked', async world => {
      const ids = await regions(world);
      const shared = await world.create('TestSite', {name: 'shared'});
      for (const name of ['alps', 'europe']) await world.link(ids[name]!, 'sites', shared);
      const sites = (depthMax: number): Include => ({
        relationship: 'sites',
        ofDescendants: {depthMax},
        count: true,
      });
      const named = {
        is: 'attribute',
        attribute: 'name',
        property: 'value',
        test: {op: 'in', values: ['europe']},
      } as const;
      const page = await world.query({
        kind: 'TestRegion',
        where: named,
        include: [sites(9), sites(1), {relationship: 'sites'}],
      });
      expect(tree(page)).toEqual([
        [
          'europe',
          ['shared', 'site in alps', 'site in europe', 'site in valley'],
          ['shared', 'site in alps', 'site in europe'],
          ['shared', 'site in europe'],
        ],
      ]);
      expect(page.found[0]?.included.map(item => item.count)).toEqual([4, 3, undefined]);
    });

    scenario('the hierarchy is that of the branch and the instant', async world => {
      const ids = await regions(world);
      const at = world.store.now();
      const branch = await world.branch('feature');
      await world.commit(async draft => {
        await draft.unlink({node: ids.alps!, relationship: 'parent', peer: ids.europe!});
        await draft.link({node: ids.alps!, relationship: 'parent', peer: ids.asia!});
      }, branch);
      const named = {
        is: 'attribute',
        attribute: 'name',
        property: 'value',
        test: {op: 'in', values: ['asia']},
      } as const;
      const query: NodeQuery = {
        kind: 'TestRegion',
        where: named,
        include: [
          {relationship: 'children', transitive: {depthMax: 9}},
          {relationship: 'sites', ofDescendants: {depthMax: 9}},
        ],
      };
      const moved = [['asia', ['alps', 'valley'], ['site in alps', 'site in asia', 'site in valley']]];
      expect(tree(await world.query(query, branch))).toEqual(moved);
      expect(tree(await world.query(query))).toEqual([['asia', [], ['site in asia']]]);
      expect(tree(await world.query(query, {branch, at}))).toEqual([['asia', [], ['site in asia']]]);
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
