import {describe, expect} from 'vitest';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Include, NodeQuery} from '../../domain/query/node-query.ts';
import {is} from './condition-words.ts';
import {type Scenario, tree, type World} from './world.ts';

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
    await world.create('TestSite', {name: `site in ${name}`}, {links: {region: ids[name]}});
  }
  return ids;
}

export function hierarchiesContract(scenario: Scenario): void {
  describe('levels of a hierarchy', () => {
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
      const named = is('name', 'world');
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
      const named = is('name', 'europe');
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
      const named = is('name', 'asia');
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
  });
}
