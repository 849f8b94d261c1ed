import {describe, expect} from 'vitest';
import {attribute, freshId, justBefore, kindRecord, MAIN, putKinds} from '../graph-store-fixtures.ts';
import {refusal, type Scenario} from './world.ts';

export function scopesContract(scenario: Scenario): void {
  describe('agnostic and local data', () => {
    scenario('an agnostic object is seen on every branch at once, wherever it was written', async world => {
      const branch = await world.branch('feature');
      const other = await world.branch('other', branch);
      const id = await world.create('TestAccount', {name: 'ada'}, {on: branch});
      for (const point of [MAIN, branch, other]) {
        expect(await world.value(id, 'name', point)).toBe('ada');
        expect(await world.list({kind: 'TestAccount'}, point)).toEqual(['ada']);
      }
      const renamed = await world.set(id, {name: 'ada l'}, other);
      for (const point of [MAIN, branch, other]) {
        expect(await world.list({kind: 'TestAccount'}, point)).toEqual(['ada l']);
        expect(await world.list({kind: 'TestAccount'}, {branch: point, at: justBefore(renamed!)})).toEqual([
          'ada',
        ]);
      }
      await world.delete(id);
      for (const point of [MAIN, branch, other]) expect(await world.node(id, point)).toBe(undefined);
    });

    scenario('an agnostic object is unique everywhere', async world => {
      const branch = await world.branch('feature');
      await world.create('TestAccount', {name: 'ada'}, {on: branch});
      await expect(world.create('TestAccount', {name: 'ada'})).rejects.toMatchObject(
        refusal('CONSTRAINT_VIOLATION'),
      );
    });

    scenario('an agnostic relationship is seen on every branch at once', async world => {
      const [ada, bob] = [
        await world.create('TestAccount', {name: 'ada'}),
        await world.create('TestAccount', {name: 'bob'}),
      ];
      const branch = await world.branch('feature');
      await world.link(bob, 'manager', ada, {on: branch});
      expect(await world.peers(ada, 'reports')).toEqual([bob]);
      await world.unlink(ada, 'reports', bob);
      expect(await world.peers(bob, 'manager', branch)).toEqual([]);
    });

    scenario('an aware relationship to an agnostic object stays on its branch', async world => {
      const ada = await world.create('TestAccount', {name: 'ada'});
      const device = await world.create('TestDevice', {name: 'a'});
      const branch = await world.branch('feature');
      await world.link(device, 'keeper', ada, {on: branch});
      expect(await world.peers(ada, 'devices', branch)).toEqual([device]);
      expect(await world.peers(ada, 'devices')).toEqual([]);
      await world.delete(ada);
      expect(await world.peers(device, 'keeper', branch)).toEqual([]);
    });

    scenario(
      'an aware or local attribute of an agnostic object starts everywhere from its first value',
      async world => {
        const early = await world.branch('early');
        const id = await world.create('TestAccount', {name: 'ada', note: 'first', theme: 'dark'});
        expect((await world.get(id, early)).value('note')).toBe('first');
        for (const name of ['note', 'theme']) {
          await world.set(id, {[name]: 'on main'});
          const late = await world.branch(`late-${name}`);
          await world.set(id, {[name]: 'on early'}, early);
          expect(await world.value(id, name)).toBe('on main');
          expect(await world.value(id, name, early)).toBe('on early');
          expect(await world.value(id, name, late)).toBe('on main');
        }
      },
    );

    scenario('an agnostic object tells of the last change that its branch sees', async world => {
      const id = await world.create('TestAccount', {name: 'ada', note: 'first'});
      const branch = await world.branch('feature');
      const noted = await world.set(id, {note: 'on the branch'}, branch);
      expect(await world.state(id, 'note', branch)).toMatchObject({value: 'on the branch', updatedAt: noted});
      expect((await world.get(id, branch)).updatedAt).toBe(noted);
      expect((await world.get(id)).updatedAt).toBe((await world.get(id)).createdAt);
      expect((await world.get(id, branch)).version).not.toBe((await world.get(id)).version);
      const renamed = await world.set(id, {name: 'ada l'});
      const node = await world.get(id, branch);
      expect([node.value('name'), node.value('note'), node.updatedAt]).toEqual([
        'ada l',
        'on the branch',
        renamed,
      ]);
    });

    scenario('filters and orders see the values of the branch in an agnostic object', async world => {
      const branch = await world.branch('feature');
      for (const [name, note] of [
        ['ada', 'x'],
        ['bob', 'y'],
        ['cyd', 'x'],
      ] as const) {
        await world.create('TestAccount', {name, note});
      }
      const [ada] = (await world.query({kind: 'TestAccount'})).found;
      await world.set(ada!.node.id, {note: 'z'}, branch);
      const noted = (...values: string[]) =>
        ({
          kind: 'TestAccount',
          where: {is: 'attribute', attribute: 'note', property: 'value', test: {op: 'in', values}},
        }) as const;
      expect(await world.list(noted('x'))).toEqual(['ada', 'cyd']);
      expect(await world.list(noted('x'), branch)).toEqual(['cyd']);
      expect(await world.list(noted('z'), branch)).toEqual(['ada']);
      const path = {attribute: 'note', property: 'value'};
      const ordered = {kind: 'TestAccount', order: [{by: 'attribute', path, descending: true}]} as const;
      expect(await world.list(ordered)).toEqual(['bob', 'ada', 'cyd']);
    });

    scenario(
      'an agnostic attribute of an aware object is the same on every branch that has the object',
      async world => {
        const badge = kindRecord({
          name: 'TestBadge',
          attributes: [
            attribute('badge', 'name', 'Text'),
            attribute('badge', 'pin', 'Text', {scope: 'agnostic'}),
          ],
          orderBy: ['name'],
        });
        await putKinds(world.store, MAIN, badge);
        const id = await world.create('TestBadge', {name: 'a', pin: '1'});
        const branch = await world.branch('feature');
        await world.set(id, {name: 'b', pin: '2'}, branch);
        expect((await world.get(id)).value('name')).toBe('a');
        expect(await world.value(id, 'pin')).toBe('2');
        await world.delete(id, branch);
        expect(await world.value(id, 'pin')).toBe('2');
        await world.set(id, {pin: '3'});
        expect(await world.node(id, branch)).toBe(undefined);
      },
    );

    scenario('local data is seen by branches that fork after it, and never in a diff', async world => {
      const device = await world.create('TestDevice', {name: 'a'});
      const middle = await world.branch('middle');
      const artifact = await world.create(
        'TestArtifact',
        {name: 'config', checksum: '1'},
        {on: middle, links: {device}},
      );
      const child = await world.branch('child', middle);
      await world.set(artifact, {checksum: '2'}, middle);
      expect(await world.node(artifact)).toBe(undefined);
      expect(await world.value(artifact, 'checksum', middle)).toBe('2');
      expect(await world.value(artifact, 'checksum', child)).toBe('1');
      expect(await world.peers(device, 'artifacts', child)).toEqual([artifact]);
      expect(await world.store.diff({branch: middle})).toEqual([]);
      await world.set(artifact, {checksum: '3'}, child);
      await world.unlink(artifact, 'device', device, child);
      expect(await world.store.diff({branch: child})).toEqual([]);
      expect(await world.store.threeWay(child)).toEqual({branch: [], origin: []});
    });

    scenario('agnostic changes are in no diff, except aware attributes and edges', async world => {
      const id = await world.create('TestAccount', {name: 'ada', note: 'n', theme: 't'});
      const device = await world.create('TestDevice', {name: 'a'});
      const branch = await world.branch('feature');
      await world.update(
        id,
        {name: {value: 'ada l'}, label: {value: 'x', source: freshId()}, theme: {value: 'u'}},
        branch,
      );
      await world.create('TestAccount', {name: 'bob'}, {on: branch});
      expect(await world.store.diff({branch})).toEqual([]);
      await world.set(id, {note: 'm'}, branch);
      await world.link(device, 'keeper', id, {on: branch});
      const changes = (await world.store.diff({branch})).toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
      expect(changes).toMatchObject([
        {
          id,
          kind: 'TestAccount',
          action: 'updated',
          attributes: [{name: 'note', before: {value: 'n'}, after: {value: 'm'}}],
          edges: [{relationship: 'devices', peer: device, before: undefined}],
        },
        {id: device, action: 'updated', attributes: [], edges: [{relationship: 'keeper', peer: id}]},
      ]);
    });
  });
}
