import {describe, expect} from 'vitest';
import {
  ALL_KINDS,
  attribute,
  chosen,
  freshId,
  justBefore,
  kindRecord,
  LATE_COLOR,
  MAIN,
  putKinds,
  relationship,
  reshaped,
  SITE,
  TAG,
  uniqueOn,
} from '../graph-store-fixtures.ts';
import {is} from './condition-words.ts';
import {refusal, type Scenario} from './world.ts';

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
      const attributes = TAG.shape.attributes.map(item => ({...item, name: 'title'}));
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
