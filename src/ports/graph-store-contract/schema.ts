import {describe, expect} from 'vitest';
import type {Condition} from '../../domain/query/node-query.ts';
import {
  ALL_KINDS,
  attribute,
  chosen,
  DEVICE,
  freshId,
  justBefore,
  kindRecord,
  MAIN,
  putKinds,
  relationship,
  reshaped,
  SITE,
  TAG,
  uniqueOn,
} from '../graph-store-fixtures.ts';
import {refusal, type Scenario} from './world.ts';

const is = (name: string, ...values: readonly (string | number)[]): Condition => ({
  is: 'attribute',
  attribute: name,
  property: 'value',
  test: {op: 'in', values},
});

const TAG_ATTRIBUTES = TAG.shape.attributes;
const LATE_COLOR = reshaped(TAG, {
  attributes: [...TAG_ATTRIBUTES, attribute('tag', 'color', 'Text', {late: 'grey', indexed: true})],
});

export function schemaContract(scenario: Scenario): void {
  describe('the schema', () => {
    scenario('the kinds of a branch are read by name, with their definitions', async world => {
      const snapshot = await world.store.snapshot({branch: MAIN});
      const names = ALL_KINDS.map(record => record.shape.name).sort();
      expect(snapshot.kinds().map(record => record.shape.name)).toEqual(names);
      expect(snapshot.kind('TestTag')).toEqual(TAG.shape);
      expect(snapshot.kind('TestGhost')).toBe(undefined);
      expect(snapshot.kind('TestAsset')).toBe(undefined);
      expect(snapshot.kinds().find(record => record.shape.name === 'TestTag')).toEqual(TAG);
    });

    scenario('a kind is there from the commit that brings it, on its branch alone', async world => {
      const branch = await world.branch('feature');
      const vlan = kindRecord({
        name: 'TestVlan',
        attributes: [attribute('vlan', 'number', 'Number')],
        orderBy: ['number'],
      });
      const commit = await putKinds(world.store, branch, vlan);
      const id = await world.create('TestVlan', {number: 10}, {on: branch});
      const kindAt = async (point: Parameters<typeof world.store.snapshot>[0]) =>
        (await world.store.snapshot(point)).kind('TestVlan');
      expect(await kindAt({branch})).toEqual(vlan.shape);
      expect(await kindAt({branch, at: justBefore(commit)})).toBe(undefined);
      expect(await kindAt({branch: MAIN})).toBe(undefined);
      expect(await world.value(id, 'number', branch)).toBe(10);
      const child = await world.branch('child', branch);
      expect(await world.list({kind: 'TestVlan'}, child, 'number')).toEqual([10]);
      expect((await world.store.branch(branch)).hasSchemaChanges).toBe(true);
      expect((await world.store.branch(child)).hasSchemaChanges).toBe(false);
    });

    scenario('a kind or generic that the schema of the read does not know has no objects', async world => {
      const branch = await world.branch('feature');
      await putKinds(
        world.store,
        MAIN,
        kindRecord({name: 'TestVlan', generics: ['TestNumbered'], attributes: []}),
      );
      for (const kind of ['TestGhost', 'TestVlan', 'TestNumbered']) {
        expect(await world.query({kind, count: true}, branch)).toEqual({found: [], count: 0, hasMore: false});
      }
      expect(await world.list({kind: 'TestNumbered'})).toEqual([]);
    });

    scenario('a kind that is there already, word for word, leaves no commit', async world => {
      const {commit} = await world.store.write(MAIN, {account: null}, draft => draft.putKind(TAG));
      expect(commit).toBe(undefined);
      const branch = await world.branch('feature');
      expect((await world.store.write(branch, {account: null}, draft => draft.putKind(TAG))).commit).toBe(
        undefined,
      );
      expect((await world.store.branch(branch)).hasSchemaChanges).toBe(false);
    });

    scenario('equal schema keys mean equal schemas', async world => {
      const seen = new Map<string, string>();
      const note = async (point: Parameters<typeof world.store.snapshot>[0]) => {
        const snapshot = await world.store.snapshot(point);
        const schema = JSON.stringify(snapshot.kinds());
        expect(seen.get(snapshot.schemaKey) ?? schema).toBe(schema);
        seen.set(snapshot.schemaKey, schema);
        return snapshot.schemaKey;
      };
      const before = await note({branch: MAIN});
      const at = world.store.now();
      const branch = await world.branch('feature');
      await note({branch});
      await putKinds(world.store, branch, LATE_COLOR);
      expect(await note({branch})).not.toBe(before);
      await putKinds(world.store, MAIN, reshaped(TAG, {generics: ['CoreNode', 'TestLabel']}));
      expect(await note({branch: MAIN})).not.toBe(before);
      await note({branch});
      expect(await note({branch: MAIN, at})).toBe(before);
      await world.create('TestTag', {name: 'red'});
      await note({branch: MAIN});
    });

    scenario('a draft uses the kinds it has just written', async world => {
      const vlan = kindRecord({name: 'TestVlan', attributes: [attribute('vlan', 'number', 'Number')]});
      await world.commit(async draft => {
        await draft.putKind(vlan);
        expect(draft.kind('TestVlan')).toEqual(vlan.shape);
        await draft.create({id: freshId(), kind: 'TestVlan', attributes: chosen({number: 1})});
      });
      expect(await world.list({kind: 'TestVlan'}, MAIN, 'number')).toEqual([1]);
    });

    scenario(
      'objects older than an attribute show its late value, younger ones what they were given',
      async world => {
        const old = await world.create('TestTag', {name: 'old'});
        const {createdAt, version} = await world.get(old);
        const commit = await putKinds(world.store, MAIN, LATE_COLOR);
        const bare = await world.create('TestTag', {name: 'bare'});
        const red = await world.create('TestTag', {name: 'red', color: 'red'});
        expect(await world.state(old, 'color')).toMatchObject({
          value: 'grey',
          isDefault: true,
          updatedAt: createdAt,
        });
        expect((await world.get(old)).version).toBe(version);
        expect(await world.value(bare, 'color')).toBe(null);
        expect(await world.value(red, 'color')).toBe('red');
        expect((await world.get(old, {branch: MAIN, at: justBefore(commit)})).attribute('color')).toBe(
          undefined,
        );
      },
    );

    scenario('a late value is found by filters, orders and counts like any other', async world => {
      for (const name of ['a', 'b']) await world.create('TestTag', {name});
      await putKinds(world.store, MAIN, LATE_COLOR);
      await world.create('TestTag', {name: 'c', color: 'grey'});
      await world.create('TestTag', {name: 'd', color: 'blue'});
      await world.create('TestTag', {name: 'e'});
      expect(await world.list({kind: 'TestTag', where: is('color', 'grey')})).toEqual(['a', 'b', 'c']);
      expect(
        (await world.query({kind: 'TestTag', where: is('color', 'grey'), count: true, nodes: false})).count,
      ).toBe(3);
      const path = {attribute: 'color', property: 'value'};
      const order = [{by: 'attribute', path, descending: false}] as const;
      expect(await world.list({kind: 'TestTag', order})).toEqual(['e', 'd', 'a', 'b', 'c']);
    });

    scenario(
      'a late value holds until somebody writes the attribute, and an explicit null stays null',
      async world => {
        const [a, b, c] = [
          await world.create('TestTag', {name: 'a'}),
          await world.create('TestTag', {name: 'b'}),
          await world.create('TestTag', {name: 'c'}),
        ];
        await putKinds(world.store, MAIN, LATE_COLOR);
        await world.set(a, {name: 'a2'});
        expect(await world.value(a, 'color')).toBe('grey');
        await world.set(b, {color: null});
        expect(await world.state(b, 'color')).toMatchObject({value: null, isDefault: false});
        await world.update(c, {color: {isProtected: true}});
        expect(await world.state(c, 'color')).toMatchObject({value: 'grey', isProtected: true});
        expect(await world.list({kind: 'TestTag', where: is('color', 'grey')})).toEqual(['a2', 'c']);
        expect(await world.update(a, {color: {value: 'grey', isDefault: true}})).toBe(undefined);
      },
    );

    scenario('a branch with its own schema shows the objects of its origin in it', async world => {
      const old = await world.create('TestTag', {name: 'old'});
      const branch = await world.branch('feature');
      await putKinds(world.store, branch, LATE_COLOR);
      await world.create('TestTag', {name: 'new', color: 'red'}, {on: branch});
      expect(await world.value(old, 'color', branch)).toBe('grey');
      expect((await world.get(old)).attribute('color')).toBe(undefined);
      expect(await world.list({kind: 'TestTag', where: is('color', 'grey', 'red')}, branch)).toEqual([
        'new',
        'old',
      ]);
      await world.set(old, {color: 'blue'}, branch);
      expect(await world.list({kind: 'TestTag', where: is('color', 'blue')}, branch)).toEqual(['old']);
      const child = await world.branch('child', branch);
      expect(await world.list({kind: 'TestTag', where: is('color', 'blue', 'red')}, child)).toEqual([
        'new',
        'old',
      ]);
    });

    scenario('an attribute renamed by id keeps its values, and the past its old name', async world => {
      const id = await world.create('TestTag', {name: 'red'});
      const branch = await world.branch('feature');
      const attributes = TAG_ATTRIBUTES.map(item => ({...item, name: 'title'}));
      const orderBy = [{attribute: 'title', property: 'value'}];
      const commit = await putKinds(
        world.store,
        MAIN,
        reshaped(TAG, {attributes, orderBy, unique: [uniqueOn('tag-name', 'title')]}),
      );
      const node = await world.get(id);
      expect([node.value('title'), node.attribute('name')]).toEqual(['red', undefined]);
      expect(await world.list({kind: 'TestTag', where: is('title', 'red')}, MAIN, 'title')).toEqual(['red']);
      await expect(world.create('TestTag', {title: 'red'})).rejects.toMatchObject(
        refusal('CONSTRAINT_VIOLATION'),
      );
      await world.set(id, {title: 'blue'});
      const past = {branch: MAIN, at: justBefore(commit)};
      expect(await world.list({kind: 'TestTag', where: is('name', 'red')}, past)).toEqual(['red']);
      expect(await world.list({kind: 'TestTag'}, branch)).toEqual(['red']);
    });

    scenario('a kind renamed by id keeps its objects, and the past its old name', async world => {
      const id = await world.create('TestTag', {name: 'red'});
      const device = await world.create('TestDevice', {name: 'a'}, {links: {tags: id}});
      const branch = await world.branch('feature');
      const commit = await putKinds(world.store, MAIN, reshaped(TAG, {name: 'TestLabel'}));
      expect(await world.get(id)).toMatchObject({kind: 'TestLabel'});
      expect(await world.list({kind: 'TestLabel'})).toEqual(['red']);
      expect(await world.peers(device, 'tags')).toEqual([id]);
      expect((await world.store.snapshot({branch: MAIN})).kind('TestTag')).toBe(undefined);
      expect(await world.get(id, {branch: MAIN, at: justBefore(commit)})).toMatchObject({kind: 'TestTag'});
      expect(await world.get(id, branch)).toMatchObject({kind: 'TestTag'});
      await expect(world.create('TestLabel', {name: 'red'})).rejects.toMatchObject(
        refusal('CONSTRAINT_VIOLATION'),
      );
    });

    scenario(
      'an attribute removed and added again starts empty, and the past still shows the old values',
      async world => {
        const id = await world.create('TestSite', {name: 'bern', city: 'Bern'});
        const before = world.store.now();
        const without = SITE.shape.attributes.filter(item => item.name !== 'city');
        await putKinds(world.store, MAIN, reshaped(SITE, {attributes: without}));
        expect((await world.get(id)).attribute('city')).toBe(undefined);
        const again = {...attribute('site', 'city', 'Text'), id: 'site.city.2'};
        await putKinds(world.store, MAIN, reshaped(SITE, {attributes: [...without, again]}));
        expect(await world.value(id, 'city')).toBe(null);
        expect(await world.value(id, 'city', {branch: MAIN, at: before})).toBe('Bern');
        await world.set(id, {city: 'Bern again'});
        expect(await world.value(id, 'city', {branch: MAIN, at: before})).toBe('Bern');
      },
    );

    scenario(
      'a dropped kind ends its objects and their edges, on its branch and from now on',
      async world => {
        const tag = await world.create('TestTag', {name: 'red'});
        const device = await world.create('TestDevice', {name: 'a'}, {links: {tags: tag}});
        const branch = await world.branch('feature');
        const commit = await world.commit(draft => draft.dropKind(TAG.shape.id));
        expect(await world.node(tag)).toBe(undefined);
        expect(await world.peers(device, 'tags')).toEqual([]);
        expect((await world.query({kind: 'CoreNode', count: true})).count).toBe(1);
        expect(await world.list({kind: 'TestTag'}, branch)).toEqual(['red']);
        expect(await world.peers(device, 'tags', branch)).toEqual([tag]);
        expect(await world.list({kind: 'TestTag'}, {branch: MAIN, at: justBefore(commit)})).toEqual(['red']);
      },
    );

    scenario('a kind dropped on a branch is gone there alone', async world => {
      const tag = await world.create('TestTag', {name: 'red'});
      const branch = await world.branch('feature');
      await world.commit(draft => draft.dropKind(TAG.shape.id), branch);
      expect(await world.node(tag, branch)).toBe(undefined);
      expect((await world.store.snapshot({branch})).kind('TestTag')).toBe(undefined);
      expect(await world.list({kind: 'TestTag'})).toEqual(['red']);
    });

    scenario(
      'a new order applies to the objects that are there, on every branch and not in the past',
      async world => {
        for (const [name, population] of [
          ['a', 3],
          ['b', 1],
          ['c', 2],
        ] as const)
          await world.create('TestSite', {name, population});
        const branch = await world.branch('feature');
        await world.create('TestSite', {name: 'd', population: 0}, {on: branch});
        const byPopulation = reshaped(SITE, {orderBy: [{attribute: 'population', property: 'value'}]});
        const commit = await putKinds(world.store, MAIN, byPopulation);
        expect(await world.list({kind: 'TestSite'})).toEqual(['b', 'c', 'a']);
        expect(await world.list({kind: 'TestSite'}, {branch: MAIN, at: justBefore(commit)})).toEqual([
          'a',
          'b',
          'c',
        ]);
        expect(await world.list({kind: 'TestSite'}, branch)).toEqual(['a', 'b', 'c', 'd']);
        await putKinds(world.store, branch, byPopulation);
        expect(await world.list({kind: 'TestSite'}, branch)).toEqual(['d', 'b', 'c', 'a']);
        expect(await world.list({kind: 'TestSite', page: {limit: 2, offset: 1}}, branch)).toEqual(['b', 'c']);
        await putKinds(world.store, MAIN, SITE);
        expect(await world.list({kind: 'TestSite'})).toEqual(['a', 'b', 'c']);
        expect(await world.list({kind: 'TestSite'}, {branch: MAIN, at: commit})).toEqual(['b', 'c', 'a']);
      },
    );

    scenario(
      'an attribute that becomes indexed finds old and new values, on branches and in the past',
      async world => {
        const ids = [];
        for (const name of ['a', 'b', 'c']) ids.push(await world.create('TestDevice', {name, status: 'up'}));
        const branch = await world.branch('feature');
        await world.set(ids[0]!, {status: 'down'}, branch);
        const attributes = DEVICE.shape.attributes.map(item =>
          item.name === 'status' ? {...item, indexed: true} : item,
        );
        const before = world.store.now();
        const indexed = reshaped(DEVICE, {attributes});
        await putKinds(world.store, MAIN, indexed);
        await putKinds(world.store, branch, indexed);
        await world.set(ids[1]!, {status: 'down'});
        const find = (status: string, point: Parameters<typeof world.list>[1]) =>
          world.list({kind: 'TestDevice', where: is('status', status)}, point);
        expect(await find('up', MAIN)).toEqual(['a', 'c']);
        expect(await find('down', MAIN)).toEqual(['b']);
        expect(await find('up', branch)).toEqual(['b', 'c']);
        expect(await find('down', branch)).toEqual(['a']);
        expect(await find('up', {branch: MAIN, at: before})).toEqual(['a', 'b', 'c']);
        expect(await find('down', {branch, at: before})).toEqual(['a']);
        const plain = reshaped(DEVICE, {});
        await putKinds(world.store, MAIN, plain);
        expect(await find('down', MAIN)).toEqual(['b']);
      },
    );

    scenario('an attribute that becomes unique binds the objects that are there', async world => {
      const a = await world.create('TestSite', {name: 'a', city: 'Bern'});
      await world.create('TestSite', {name: 'b', city: 'Basel'});
      const branch = await world.branch('feature');
      const unique = reshaped(SITE, {unique: [...SITE.shape.unique, uniqueOn('site-city', 'city')]});
      await putKinds(world.store, MAIN, unique);
      const taken = refusal('CONSTRAINT_VIOLATION');
      await expect(world.create('TestSite', {name: 'c', city: 'Bern'})).rejects.toMatchObject(taken);
      await world.create('TestSite', {name: 'c', city: 'Bern'}, {on: branch});
      await expect(putKinds(world.store, branch, unique)).rejects.toMatchObject(taken);
      await world.set(a, {city: 'Biel'}, branch);
      await putKinds(world.store, branch, unique);
      await expect(world.set(a, {city: 'Basel'}, branch)).rejects.toMatchObject(taken);
    });

    scenario('a constraint may come before the data that meets it, in one commit', async world => {
      await world.create('TestSite', {name: 'a', city: 'Bern'});
      const b = await world.create('TestSite', {name: 'b', city: 'Bern'});
      const unique = reshaped(SITE, {unique: [...SITE.shape.unique, uniqueOn('site-city', 'city')]});
      await world.commit(async draft => {
        await draft.putKind(unique);
        await draft.update(b, chosen({city: 'Biel'}));
      });
      const taken = refusal('CONSTRAINT_VIOLATION');
      await expect(world.set(b, {city: 'Bern'})).rejects.toMatchObject(taken);
    });

    scenario('a unique constraint over values that are double already is refused', async world => {
      for (const name of ['a', 'b']) await world.create('TestSite', {name, city: 'Bern'});
      const unique = reshaped(SITE, {unique: [...SITE.shape.unique, uniqueOn('site-city', 'city')]});
      await expect(putKinds(world.store, MAIN, unique)).rejects.toMatchObject(
        refusal('CONSTRAINT_VIOLATION'),
      );
      expect((await world.store.snapshot({branch: MAIN})).kind('TestSite')).toEqual(SITE.shape);
    });

    scenario('a constraint that is dropped binds no longer, and binds again when it returns', async world => {
      await world.create('TestTag', {name: 'red'});
      await putKinds(world.store, MAIN, reshaped(TAG, {unique: []}));
      const second = await world.create('TestTag', {name: 'red'});
      const taken = refusal('CONSTRAINT_VIOLATION');
      await expect(putKinds(world.store, MAIN, TAG)).rejects.toMatchObject(taken);
      await world.set(second, {name: 'blue'});
      await putKinds(world.store, MAIN, TAG);
      await expect(world.create('TestTag', {name: 'red'})).rejects.toMatchObject(taken);
      await expect(world.create('TestTag', {name: 'blue'})).rejects.toMatchObject(taken);
    });

    scenario('a kind that joins a generic answers for it', async world => {
      await world.create('TestTag', {name: 'red'});
      await world.create('TestDevice', {name: 'a'});
      const commit = await putKinds(world.store, MAIN, reshaped(TAG, {generics: ['CoreNode', 'TestAsset']}));
      expect(await world.list({kind: 'TestAsset'})).toEqual(['a', 'red']);
      expect(await world.list({kind: 'TestAsset'}, {branch: MAIN, at: justBefore(commit)})).toEqual(['a']);
    });

    scenario('a relationship that is added can be used at once by objects that are there', async world => {
      const [tag, site] = [
        await world.create('TestTag', {name: 'red'}),
        await world.create('TestSite', {name: 'bern'}),
      ];
      await putKinds(
        world.store,
        MAIN,
        reshaped(TAG, {
          relationships: [...TAG.shape.relationships, relationship('sites', 'site__tag', 'TestSite')],
        }),
        reshaped(SITE, {
          relationships: [...SITE.shape.relationships, relationship('tags', 'site__tag', 'TestTag')],
        }),
      );
      await world.link(tag, 'sites', site);
      expect(await world.peers(site, 'tags')).toEqual([tag]);
    });

    scenario('a relationship renamed on one end keeps its edges', async world => {
      const tag = await world.create('TestTag', {name: 'red'});
      const device = await world.create('TestDevice', {name: 'a'}, {links: {tags: tag}});
      const relationships = TAG.shape.relationships.map(item => ({...item, name: 'things'}));
      await putKinds(world.store, MAIN, reshaped(TAG, {relationships}));
      expect(await world.peers(tag, 'things')).toEqual([device]);
      expect(await world.peers(device, 'tags')).toEqual([tag]);
    });

    scenario('an agnostic object of a kind that a branch does not know is invisible there', async world => {
      const branch = await world.branch('feature');
      const pool = kindRecord({
        name: 'TestPool',
        scope: 'agnostic',
        attributes: [attribute('pool', 'name', 'Text', {scope: 'agnostic'})],
      });
      await putKinds(world.store, MAIN, pool);
      const id = await world.create('TestPool', {name: 'p'});
      expect(await world.node(id, branch)).toBe(undefined);
      expect((await world.query({kind: 'CoreNode', count: true}, branch)).count).toBe(0);
      await putKinds(world.store, branch, pool);
      expect(await world.value(id, 'name', branch)).toBe('p');
    });
  });
}
