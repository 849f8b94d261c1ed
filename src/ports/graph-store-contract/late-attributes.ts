import {describe, expect} from 'vitest';
import {attribute, justBefore, LATE_COLOR, MAIN, putKinds, reshaped, SITE} from '../graph-store-fixtures.ts';
import {is} from './condition-words.ts';
import type {Scenario} from './world.ts';

export function lateAttributesContract(scenario: Scenario): void {
  describe('attributes that come and go', () => {
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
  });
}
