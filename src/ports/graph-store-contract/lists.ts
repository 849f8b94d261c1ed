import {describe, expect} from 'vitest';
import type {Json} from '../../base/json.ts';
import type {Condition, Cursor, NodeQuery, Order} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {MAIN, putKinds, RACK, reshaped} from '../graph-store-fixtures.ts';
import {type Scenario, valuesOf, type World} from './world.ts';

const by = (attribute: string, descending = false, relationship?: string): Order => ({
  by: 'attribute',
  path:
    relationship === undefined
      ? {attribute, property: 'value'}
      : {relationship, attribute, property: 'value'},
  descending,
});

async function addSites(world: World, ...names: readonly string[]): Promise<void> {
  for (const name of names) await world.create('TestSite', {name});
}

export function listsContract(scenario: Scenario): void {
  describe('orders, pages and counts', () => {
    scenario('a list comes in the order of its kind', async world => {
      await addSites(world, 'c', 'a', 'B', 'ab', 'ä', '');
      expect(await world.list({kind: 'TestSite'})).toEqual(['', 'B', 'a', 'ab', 'c', 'ä']);
      for (const [name, height] of [
        ['x', 10],
        ['y', 9],
        ['a', 10],
        ['n', null],
      ] as const) {
        await world.create('TestRack', {name, height});
      }
      expect(await world.list({kind: 'TestRack'})).toEqual(['n', 'y', 'a', 'x']);
    });

    scenario('letters beyond the first plane sort after all others, as in UTF-8', async world => {
      await addSites(world, '\u{1F600}', '\uFF5E', 'z', '\uE000');
      expect(await world.list({kind: 'TestSite'})).toEqual(['z', '\uE000', '\uFF5E', '\u{1F600}']);
    });

    scenario('a kind without an order lists by age', async world => {
      for (const label of ['c', 'a', 'b']) await world.create('TestCable', {label});
      expect(await world.list({kind: 'TestCable'}, MAIN, 'label')).toEqual(['c', 'a', 'b']);
    });

    scenario('an order is by any attributes, up or down, nulls lowest', async world => {
      for (const [name, position, weight] of [
        ['a', 2, 1],
        ['b', 1, 2],
        ['c', 2, 2],
        ['d', null, 3],
        ['e', -1, null],
      ] as const) {
        await world.create('TestDevice', {name, position, weight});
      }
      const list = (...order: readonly Order[]) => world.list({kind: 'TestDevice', order});
      expect(await list(by('position'))).toEqual(['d', 'e', 'b', 'a', 'c']);
      expect(await list(by('position', true))).toEqual(['a', 'c', 'b', 'e', 'd']);
      expect(await list(by('position', true), by('weight', true))).toEqual(['c', 'a', 'b', 'e', 'd']);
      expect(await list(by('weight'), by('name', true))).toEqual(['e', 'a', 'c', 'b', 'd']);
      expect(await list()).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    scenario('ties go to the object created first, whatever the direction', async world => {
      for (const name of ['z', 'y', 'x']) await world.create('TestDevice', {name, role: 'leaf'});
      expect(await world.list({kind: 'TestDevice', order: [by('role')]})).toEqual(['z', 'y', 'x']);
      expect(await world.list({kind: 'TestDevice', order: [by('role', true)]})).toEqual(['z', 'y', 'x']);
    });

    scenario('an order follows a to-one relationship', async world => {
      const [bern, aarau] = [
        await world.create('TestSite', {name: 'bern'}),
        await world.create('TestSite', {name: 'aarau'}),
      ];
      await world.create('TestDevice', {name: 'a'}, {links: {site: bern}});
      await world.create('TestDevice', {name: 'b'}, {links: {site: aarau}});
      await world.create('TestDevice', {name: 'c'});
      await world.create('TestDevice', {name: 'd'}, {links: {site: aarau}});
      const list = (...order: readonly Order[]) => world.list({kind: 'TestDevice', order});
      expect(await list(by('name', false, 'site'))).toEqual(['c', 'b', 'd', 'a']);
      expect(await list(by('name', true, 'site'), by('name', true))).toEqual(['a', 'd', 'b', 'c']);
    });

    scenario('an order is by age and by the last change', async world => {
      const ids = [];
      for (const name of ['c', 'a', 'b']) ids.push(await world.create('TestDevice', {name}));
      await world.set(ids[0]!, {role: 'leaf'});
      const list = (field: 'createdAt' | 'updatedAt', descending: boolean) =>
        world.list({kind: 'TestDevice', order: [{by: field, descending}]});
      expect(await list('createdAt', false)).toEqual(['c', 'a', 'b']);
      expect(await list('createdAt', true)).toEqual(['b', 'a', 'c']);
      expect(await list('updatedAt', false)).toEqual(['a', 'b', 'c']);
      expect(await list('updatedAt', true)).toEqual(['c', 'b', 'a']);
    });

    scenario('the last change of an object is the same in a list, a filter and an order', async world => {
      const [bob, ada] = [
        await world.create('TestAccount', {name: 'bob'}),
        await world.create('TestAccount', {name: 'ada'}),
      ];
      const site = await world.create('TestSite', {name: 'bern'});
      const [late, early] = [
        await world.create('TestRack', {name: 'late', height: 1}),
        await world.create('TestRack', {name: 'early', height: 2}),
      ];
      const branch = await world.branch('feature');
      await world.link(early, 'site', site, {on: branch});
      const noted = await world.set(bob, {note: 'on the branch'}, branch);
      const changed = await world.set(late, {height: 3}, branch);
      await putKinds(
        world.store,
        branch,
        reshaped(RACK, {orderBy: [{attribute: 'name', property: 'value'}]}),
      );
      const order = [{by: 'updatedAt', descending: true}] as const;
      const since = (from: Instant): Condition => ({is: 'node', field: 'updatedAt', from});
      expect(await world.list({kind: 'TestAccount', order}, branch)).toEqual(['bob', 'ada']);
      expect(await world.list({kind: 'TestAccount', order})).toEqual(['ada', 'bob']);
      expect(await world.list({kind: 'TestAccount', where: since(noted!)}, branch)).toEqual(['bob']);
      expect(await world.list({kind: 'TestRack', order}, branch)).toEqual(['late', 'early']);
      expect(await world.list({kind: 'TestRack', where: since(changed!)}, branch)).toEqual(['late']);
      expect((await world.get(early, branch)).updatedAt).toBe((await world.get(early)).createdAt);
      expect((await world.get(ada, branch)).updatedAt).toBe((await world.get(ada)).createdAt);
    });

    scenario('addresses sort as addresses', async world => {
      for (const [name, address] of [
        ['a', '10.0.0.10/24'],
        ['b', '10.0.0.9/24'],
        ['c', '2001:db8::1/64'],
        ['d', '9.0.0.1/8'],
      ] as const) {
        await world.create('TestDevice', {name, address});
      }
      expect(await world.list({kind: 'TestDevice', order: [by('address')]})).toEqual(['d', 'b', 'a', 'c']);
    });

    scenario('a generic lists the objects of all its kinds in one order', async world => {
      await world.create('TestServer', {name: 'b'});
      await world.create('TestDevice', {name: 'c'});
      await world.create('TestServer', {name: 'a'});
      await world.create('TestTag', {name: 'not an asset'});
      const page = await world.query({kind: 'TestAsset', count: true});
      expect(page.found.map(found => [found.node.kind, found.node.value('name')])).toEqual([
        ['TestServer', 'a'],
        ['TestServer', 'b'],
        ['TestDevice', 'c'],
      ]);
      expect(page.count).toBe(3);
      expect((await world.query({kind: 'CoreNode', count: true})).count).toBe(4);
    });

    scenario('an order by an attribute that some kinds of a generic lack takes it as null', async world => {
      await world.create('TestServer', {name: 's', cores: 4});
      await world.create('TestDevice', {name: 'd'});
      expect(await world.list({kind: 'TestAsset', order: [by('cores')]})).toEqual(['d', 's']);
      expect(await world.list({kind: 'TestAsset', order: [by('cores', true)]})).toEqual(['s', 'd']);
    });

    scenario('offset pages tell whether there is more, and end empty', async world => {
      await addSites(world, 'a', 'b', 'c');
      const page = async (offset: number, limit: number) => {
        const {found, hasMore, count} = await world.query({
          kind: 'TestSite',
          page: {offset, limit},
          count: true,
        });
        return [found.map(item => item.node.value('name')), hasMore, count];
      };
      expect(await page(0, 2)).toEqual([['a', 'b'], true, 3]);
      expect(await page(1, 2)).toEqual([['b', 'c'], false, 3]);
      expect(await page(2, 2)).toEqual([['c'], false, 3]);
      expect(await page(3, 2)).toEqual([[], false, 3]);
      expect(await page(100, 2)).toEqual([[], false, 3]);
    });

    scenario('a query without page gives everything, and a count only when asked', async world => {
      await addSites(world, 'a', 'b', 'c');
      expect(await world.query({kind: 'TestSite'})).toMatchObject({count: undefined, hasMore: false});
      const counted = await world.query({kind: 'TestSite', count: true, nodes: false});
      expect(counted).toMatchObject({found: [], count: 3});
    });

    scenario('a count takes the conditions and not the page', async world => {
      for (const [name, role] of [
        ['a', 'leaf'],
        ['b', 'leaf'],
        ['c', 'spine'],
      ] as const)
        await world.create('TestDevice', {name, role});
      const where: Condition = {
        is: 'attribute',
        attribute: 'role',
        property: 'value',
        test: {op: 'in', values: ['leaf']},
      };
      const branch = await world.branch('feature');
      await world.create('TestDevice', {name: 'd', role: 'leaf'}, {on: branch});
      const count = async (query: Partial<NodeQuery>, on = MAIN) =>
        (await world.query({kind: 'TestDevice', count: true, ...query}, on)).count;
      expect(await count({where, page: {limit: 1, offset: 0}})).toBe(2);
      expect(await count({where, nodes: false})).toBe(2);
      expect(await count({where: {is: 'not', of: where}})).toBe(1);
      expect(await count({where, nodes: false}, branch)).toBe(3);
      expect(await count({nodes: false}, branch)).toBe(4);
      expect(await count({page: {limit: 2, after: null}})).toBe(3);
    });

    const ORDERS: readonly (readonly [what: string, order: readonly Order[] | undefined])[] = [
      ['the default order', undefined],
      ['an order with many ties', [by('role')]],
      ['a descending order with nulls', [by('position', true), by('role')]],
      ['an order through a relationship', [by('name', true, 'site')]],
      ['an order by age, newest first', [{by: 'createdAt', descending: true}]],
    ];
    for (const [what, order] of ORDERS) {
      scenario(`pages by cursor make up the whole list: ${what}`, async world => {
        const sites = [
          await world.create('TestSite', {name: 'x'}),
          await world.create('TestSite', {name: 'y'}),
        ];
        for (let index = 0; index < 13; index++) {
          const site = sites[index % 3];
          const values: Record<string, Json> = {
            name: `d${(index * 5) % 13}`,
            role: index % 2 === 0 ? 'leaf' : 'spine',
          };
          if (index % 4 !== 0) values.position = index % 3;
          await world.create('TestDevice', values, {links: site === undefined ? {} : {site}});
        }
        const query: NodeQuery = {kind: 'TestDevice', ...(order === undefined ? {} : {order})};
        const whole = await world.list(query);
        expect(whole).toHaveLength(13);
        for (const limit of [1, 4, 13, 50]) expect(await pageThrough(world, query, limit)).toEqual(whole);
        const branch = await world.branch('feature');
        expect(await pageThrough(world, query, 5, branch)).toEqual(whole);
      });
    }

    scenario('pages by cursor stay right while objects come and go elsewhere', async world => {
      await addSites(world, 'b', 'd', 'f', 'h');
      const first = await world.query({kind: 'TestSite', page: {limit: 2, after: null}});
      expect(valuesOf(first)).toEqual(['b', 'd']);
      const [b, d] = first.found;
      await world.delete(b!.node.id);
      await world.delete(d!.node.id);
      await addSites(world, 'a', 'c', 'e');
      const second = await world.query({kind: 'TestSite', page: {limit: 2, after: d!.cursor}});
      expect([valuesOf(second), second.hasMore]).toEqual([['e', 'f'], true]);
      const third = await world.query({kind: 'TestSite', page: {limit: 2, after: second.found[1]!.cursor}});
      expect([valuesOf(third), third.hasMore]).toEqual([['h'], false]);
      const fourth = await world.query({kind: 'TestSite', page: {limit: 2, after: third.found[0]!.cursor}});
      expect([valuesOf(fourth), fourth.hasMore]).toEqual([[], false]);
    });

    scenario('a cursor survives a trip through JSON', async world => {
      await addSites(world, 'a "quoted" \u{1F600}', 'b', 'c\n');
      const first = await world.query({kind: 'TestSite', page: {limit: 1, after: null}});
      const after = JSON.parse(JSON.stringify(first.found[0]!.cursor)) as Cursor;
      expect(await world.list({kind: 'TestSite', page: {limit: 9, after}})).toEqual(['b', 'c\n']);
    });
  });
}

async function pageThrough(world: World, query: NodeQuery, limit: number, branch = MAIN): Promise<Json[]> {
  const values: Json[] = [];
  let after: Cursor | null = null;
  for (;;) {
    const page = await world.query({...query, page: {limit, after}}, branch);
    values.push(...valuesOf(page));
    if (!page.hasMore) return values;
    after = page.found.at(-1)!.cursor;
  }
}
