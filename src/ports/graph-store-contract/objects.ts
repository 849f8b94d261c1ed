import {describe, expect} from 'vitest';
import {chosen, freshId, justBefore, MAIN, SERVICE} from '../graph-store-fixtures.ts';
import {refusal, type Scenario} from './world.ts';

export function objectsContract(scenario: Scenario): void {
  describe('objects', () => {
    scenario('a created object is read back with its values and when it came', async world => {
      const id = freshId();
      const {commit, value} = await world.store.write(MAIN, SERVICE, draft =>
        draft.create({id, kind: 'TestDevice', attributes: chosen({name: 'edge-1', position: 7})}),
      );
      const node = await world.get(id);
      expect(node).toMatchObject({id, kind: 'TestDevice', createdAt: commit, updatedAt: commit});
      expect(node.value('name')).toBe('edge-1');
      expect(node.value('position')).toBe(7);
      expect(value).toMatchObject({id, kind: 'TestDevice', createdAt: commit, updatedAt: commit});
      expect(value.value('name')).toBe('edge-1');
    });

    scenario('every kind of JSON value comes back as it went in', async world => {
      const facts = {deep: [{a: 1, b: null}, 'text', 2.5, true], 'odd key "': {}};
      const id = await world.create('TestSite', {
        name: 'Zürich 🏔 "quoted" \\ \n',
        population: -9007199254740991,
        contacts: ['a', 'b', 1, null],
        facts,
      });
      const node = await world.get(id);
      expect(node.value('name')).toBe('Zürich 🏔 "quoted" \\ \n');
      expect(node.value('population')).toBe(-9007199254740991);
      expect(node.value('contacts')).toEqual(['a', 'b', 1, null]);
      expect(node.value('facts')).toEqual(facts);
    });

    scenario('false, zero, an empty text and an empty list are values, not nulls', async world => {
      const device = await world.create('TestDevice', {name: '', enabled: false, position: 0});
      expect(await world.value(device, 'name')).toBe('');
      expect(await world.value(device, 'enabled')).toBe(false);
      expect(await world.value(device, 'position')).toBe(0);
      expect(await world.value(await world.create('TestSite', {contacts: []}), 'contacts')).toEqual([]);
    });

    scenario(
      'an attribute that nobody set is null, default, visible and as old as its object',
      async world => {
        const id = await world.create('TestDevice', {name: 'edge-1'});
        const {createdAt} = await world.get(id);
        await world.set(id, {name: 'edge-2'});
        expect(await world.state(id, 'role')).toEqual({
          value: null,
          isDefault: true,
          isFromProfile: false,
          isProtected: false,
          isVisible: true,
          source: null,
          owner: null,
          updatedAt: createdAt,
        });
      },
    );

    scenario('an attribute that the kind lacks has no state and the value null', async world => {
      const node = await world.get(await world.create('TestDevice', {name: 'edge-1'}));
      expect(node.attribute('colour')).toBe(undefined);
      expect(node.value('colour')).toBe(null);
    });

    scenario('all metadata of an attribute is kept', async world => {
      const [source, owner] = [freshId(), freshId()];
      const id = freshId();
      const metadata = {
        isDefault: true,
        isFromProfile: true,
        isProtected: true,
        isVisible: false,
        source,
        owner,
      };
      const commit = await world.commit(draft =>
        draft.create({id, kind: 'TestDevice', attributes: {name: {value: 'edge-1', ...metadata}}}),
      );
      expect(await world.state(id, 'name')).toEqual({value: 'edge-1', ...metadata, updatedAt: commit});
    });

    scenario('what a write leaves out of an attribute stays as it is', async world => {
      const [source, owner] = [freshId(), freshId()];
      const id = await world.create('TestDevice', {name: 'edge-1'});
      await world.update(id, {name: {source, isProtected: true}});
      const commit = await world.update(id, {name: {owner, isVisible: false}});
      expect(await world.state(id, 'name')).toEqual({
        value: 'edge-1',
        isDefault: false,
        isFromProfile: false,
        isProtected: true,
        isVisible: false,
        source,
        owner,
        updatedAt: commit,
      });
      await world.update(id, {name: {source: null}});
      expect(await world.state(id, 'name')).toMatchObject({source: null, owner});
    });

    scenario('a value given without saying more is one that somebody chose', async world => {
      const id = await world.create('TestDevice', {name: 'edge-1'});
      await world.update(id, {role: {value: 'leaf', isDefault: true, isFromProfile: true}});
      expect(await world.state(id, 'role')).toMatchObject({isDefault: true, isFromProfile: true});
      await world.update(id, {role: {value: 'spine'}});
      expect(await world.state(id, 'role')).toMatchObject({isDefault: false, isFromProfile: false});
    });

    scenario('an attribute that an update leaves alone keeps its older time', async world => {
      const id = await world.create('TestDevice', {name: 'edge-1', role: 'leaf'});
      const {createdAt} = await world.get(id);
      const first = await world.set(id, {role: 'spine'});
      const second = await world.set(id, {status: 'up'});
      expect((await world.state(id, 'name')).updatedAt).toBe(createdAt);
      expect((await world.state(id, 'role')).updatedAt).toBe(first);
      expect((await world.state(id, 'status')).updatedAt).toBe(second);
      expect(await world.get(id)).toMatchObject({createdAt, updatedAt: second});
    });

    scenario('an update that repeats what is there leaves no version and no commit', async world => {
      const id = await world.create('TestSite', {name: 'bern', contacts: ['a', {b: 1, c: 2}]});
      const before = await world.get(id);
      expect(await world.set(id, {name: 'bern'})).toBe(undefined);
      expect(await world.set(id, {contacts: ['a', {c: 2, b: 1}]})).toBe(undefined);
      expect(await world.update(id, {city: {value: null, isDefault: true}, name: {isProtected: false}})).toBe(
        undefined,
      );
      expect(await world.update(id, {})).toBe(undefined);
      const after = await world.get(id);
      expect(after.version).toBe(before.version);
      expect(after.updatedAt).toBe(before.updatedAt);
    });

    scenario('an update with one true change writes only that', async world => {
      const id = await world.create('TestDevice', {name: 'edge-1', role: 'leaf'});
      const {createdAt} = await world.get(id);
      const commit = await world.set(id, {name: 'edge-1', role: 'spine'});
      expect((await world.state(id, 'name')).updatedAt).toBe(createdAt);
      expect((await world.state(id, 'role')).updatedAt).toBe(commit);
    });

    scenario('a version has one name for ever, and another version another name', async world => {
      const id = await world.create('TestDevice', {name: 'edge-1'});
      const first = await world.get(id);
      const branch = await world.branch('feature');
      expect((await world.get(id, branch)).version).toBe(first.version);
      const commit = await world.set(id, {role: 'leaf'});
      const second = await world.get(id);
      expect(second.version).not.toBe(first.version);
      expect((await world.get(id, {branch: MAIN, at: justBefore(commit!)})).version).toBe(first.version);
      await world.set(id, {role: 'spine'}, branch);
      const third = await world.get(id, branch);
      expect(new Set([first.version, second.version, third.version]).size).toBe(3);
    });

    scenario(
      'several objects are read in the order asked, with gaps for those that are not there',
      async world => {
        const [a, b] = [
          await world.create('TestTag', {name: 'a'}),
          await world.create('TestSite', {name: 'b'}),
        ];
        const snapshot = await world.store.snapshot({branch: MAIN});
        const nodes = await snapshot.nodes([b, freshId(), a, b]);
        expect(nodes.map(node => node?.value('name'))).toEqual(['b', undefined, 'a', 'b']);
        expect(await snapshot.nodes([])).toEqual([]);
      },
    );

    scenario('a deleted object is gone, and its value is free again', async world => {
      const id = await world.create('TestDevice', {name: 'edge-1'});
      await world.delete(id);
      expect(await world.node(id)).toBe(undefined);
      expect(await world.list({kind: 'TestDevice'})).toEqual([]);
      await world.create('TestDevice', {name: 'edge-1'});
      expect(await world.list({kind: 'TestDevice'})).toEqual(['edge-1']);
    });

    scenario(
      'an object of the past may come back under its old id when the write says that it knows it',
      async world => {
        const id = await world.create('TestDevice', {name: 'edge-1', role: 'leaf'});
        const deleted = await world.delete(id);
        const again = await world.commit(draft =>
          draft.create({id, kind: 'TestDevice', attributes: chosen({name: 'edge-2'}), isKnown: true}),
        );
        expect(await world.get(id)).toMatchObject({createdAt: again, updatedAt: again});
        expect(await world.value(id, 'role')).toBe(null);
        expect(await world.node(id, {branch: MAIN, at: deleted})).toBe(undefined);
        expect(await world.value(id, 'name', {branch: MAIN, at: justBefore(deleted)})).toBe('edge-1');
      },
    );

    scenario('an id that is in use is refused, known or not', async world => {
      const id = await world.create('TestDevice', {name: 'edge-1'});
      const attributes = chosen({name: 'red'});
      for (const isKnown of [false, true]) {
        const attempt = world.commit(draft => draft.create({id, kind: 'TestTag', attributes, isKnown}));
        await expect(attempt).rejects.toMatchObject(refusal('CONSTRAINT_VIOLATION'));
      }
      expect(await world.get(id)).toMatchObject({kind: 'TestDevice'});
    });

    scenario(
      'an id of another branch or of the past is refused to a write that does not know it',
      async world => {
        const branch = await world.branch('feature');
        const [elsewhere, gone] = [
          await world.create('TestTag', {}, {on: branch}),
          await world.create('TestTag'),
        ];
        await world.delete(gone);
        for (const id of [elsewhere, gone]) {
          const attempt = world.commit(draft => draft.create({id, kind: 'TestTag', attributes: {}}));
          await expect(attempt).rejects.toMatchObject(refusal('CONSTRAINT_VIOLATION'));
        }
        await world.commit(draft =>
          draft.create({id: elsewhere, kind: 'TestTag', attributes: {}, isKnown: true}),
        );
        expect(await world.node(elsewhere)).toBeDefined();
      },
    );

    scenario('the id of a write that failed is free', async world => {
      const id = freshId();
      const create = {id, kind: 'TestTag', attributes: chosen({name: 'red'})};
      const attempt = world.commit(async draft => {
        await draft.create(create);
        throw new Error('no');
      });
      await expect(attempt).rejects.toThrow('no');
      await world.commit(draft => draft.create(create));
      expect(await world.value(id, 'name')).toBe('red');
    });

    scenario('writing to an object that is not there is refused', async world => {
      const [device, gone] = [await world.create('TestDevice', {name: 'a'}), await world.create('TestTag')];
      await world.delete(gone);
      for (const id of [gone, freshId()]) {
        await expect(world.set(id, {name: 'x'})).rejects.toMatchObject(refusal('NODE_NOT_FOUND'));
        await expect(world.delete(id)).rejects.toMatchObject(refusal('NODE_NOT_FOUND'));
        await expect(world.link(device, 'tags', id)).rejects.toMatchObject(refusal('NODE_NOT_FOUND'));
        await expect(world.link(id, 'assets', device)).rejects.toMatchObject(refusal('NODE_NOT_FOUND'));
      }
    });

    scenario('a kind that is not there is refused', async world => {
      const attributes = chosen({name: 'x'});
      await expect(
        world.commit(draft => draft.create({id: freshId(), kind: 'TestGhost', attributes})),
      ).rejects.toMatchObject(refusal('SCHEMA_NOT_FOUND'));
    });
  });
}
