import {describe, expect} from 'vitest';
import {
  chosen,
  DEVICE,
  justBefore,
  MAIN,
  putKinds,
  reshaped,
  SITE,
  TAG,
  uniqueOn,
} from '../graph-store-fixtures.ts';
import {is} from './condition-words.ts';
import {refusal, type Scenario} from './world.ts';

export function newIndexesContract(scenario: Scenario): void {
  describe('orders, indexes and constraints that come later than the data', () => {
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
  });
}
