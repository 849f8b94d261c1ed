import {describe, expect} from 'vitest';
import type {Condition} from '../../domain/query/node-query.ts';
import {all, devices, fourDevices, is, not, related} from './condition-words.ts';
import {type Scenario, valuesOf} from './world.ts';

export function relatedConditionsContract(scenario: Scenario): void {
  describe('conditions on related objects', () => {
    scenario('a related object is asked for, with and without conditions on it', async world => {
      const [a, b, c] = await fourDevices(world);
      const [red, blue] = [
        await world.create('TestTag', {name: 'red'}),
        await world.create('TestTag', {name: 'blue'}),
      ];
      for (const [device, tag] of [
        [a, red],
        [b, red],
        [b, blue],
      ] as const)
        await world.link(device!, 'tags', tag);
      await world.link(c!, 'uplinks', a!);
      expect(await devices(world, related('tags'))).toEqual(['a', 'b']);
      expect(await devices(world, not(related('tags')))).toEqual(['c', 'd']);
      expect(await devices(world, related('tags', is('name', 'blue')))).toEqual(['b']);
      expect(await devices(world, related('tags', not(is('name', 'blue'))))).toEqual(['a', 'b']);
      expect(await devices(world, not(related('tags', is('name', 'blue'))))).toEqual(['a', 'c', 'd']);
      expect(await devices(world, related('tags', {is: 'id', in: [red]}))).toEqual(['a', 'b']);
      expect(
        await devices(world, all(related('tags', is('name', 'red')), related('tags', is('name', 'blue')))),
      ).toEqual(['b']);
      expect(await devices(world, related('uplinks'))).toEqual(['c']);
      expect(await devices(world, related('downlinks'))).toEqual(['a']);
    });

    scenario('related conditions nest through several relationships', async world => {
      const [bern, basel] = [
        await world.create('TestSite', {name: 'bern'}),
        await world.create('TestSite', {name: 'basel'}),
      ];
      for (const [name, site] of [
        ['a', bern],
        ['b', basel],
      ] as const) {
        const device = await world.create('TestDevice', {name}, {links: {site}});
        const port = await world.create(
          'TestInterface',
          {name: `${name}-eth0`, speed: name === 'a' ? 10 : 40},
          {links: {device}},
        );
        await world.create('TestCable', {label: `cable of ${name}`}, {links: {endpoints: port}});
      }
      const cables = (where: Condition) => world.list({kind: 'TestCable', where}, undefined, 'label');
      expect(
        await cables(related('endpoints', related('device', related('site', is('name', 'basel'))))),
      ).toEqual(['cable of b']);
      expect(
        await cables(related('endpoints', all(is('speed', 10), related('device', related('site'))))),
      ).toEqual(['cable of a']);
      const sites = (where: Condition) => world.list({kind: 'TestSite', where});
      expect(
        await sites(related('devices', related('interfaces', related('cable', is('label', 'cable of a'))))),
      ).toEqual(['bern']);
      expect(await sites(related('devices', not(related('interfaces', is('speed', 10)))))).toEqual(['basel']);
    });

    scenario('a transitive condition follows the relationship as deep as it says', async world => {
      const world_ = await world.create('TestRegion', {name: 'world'});
      const europe = await world.create('TestRegion', {name: 'europe'}, {links: {parent: world_}});
      const alps = await world.create('TestRegion', {name: 'alps'}, {links: {parent: europe}});
      await world.create('TestRegion', {name: 'valley'}, {links: {parent: alps}});
      await world.create('TestSite', {name: 'hut'}, {links: {region: alps}});
      const regions = (where: Condition) => world.list({kind: 'TestRegion', where});
      expect(await regions(related('parent', is('name', 'europe'), 9))).toEqual(['alps', 'valley']);
      expect(await regions(related('parent', is('name', 'world'), 2))).toEqual(['alps', 'europe']);
      expect(await regions(related('children', is('name', 'valley'), 9))).toEqual([
        'alps',
        'europe',
        'world',
      ]);
      expect(await regions(related('children', related('sites', is('name', 'hut')), 9))).toEqual([
        'europe',
        'world',
      ]);
      expect(await regions(related('children', undefined, 9))).toEqual(['alps', 'europe', 'world']);
    });

    scenario('a circle of relationships ends a transitive search', async world => {
      const [a, b, c, d] = await fourDevices(world);
      for (const [from, to] of [
        [a, b],
        [b, c],
        [c, a],
      ] as const) {
        await world.link(from!, 'uplinks', to!);
      }
      expect(await devices(world, related('uplinks', is('name', 'd'), 99))).toEqual([]);
      await world.link(c!, 'uplinks', d!);
      expect(await devices(world, related('uplinks', is('name', 'd'), 99))).toEqual(['a', 'b', 'c']);
      const include = [{relationship: 'uplinks', transitive: {depthMax: 99}}];
      const page = await world.query({kind: 'TestDevice', where: is('name', 'a'), include});
      expect(page.found[0]?.included.map(level => valuesOf(level))).toEqual([['b', 'c', 'd']]);
    });

    scenario('conditions on related objects see the branch and the instant of the read', async world => {
      const [a, b] = await fourDevices(world);
      const red = await world.create('TestTag', {name: 'red'}, {links: {assets: a!}});
      const at = world.store.now();
      const branch = await world.branch('feature');
      await world.set(red, {name: 'pink'}, branch);
      await world.link(b!, 'tags', red, {on: branch});
      await world.unlink(a!, 'tags', red, branch);
      const tagged = (name: string) =>
        ({kind: 'TestDevice', where: related('tags', is('name', name))}) as const;
      expect(await world.list(tagged('red'))).toEqual(['a']);
      expect(await world.list(tagged('red'), branch)).toEqual([]);
      expect(await world.list(tagged('pink'), branch)).toEqual(['b']);
      expect(await world.list(tagged('red'), {branch, at})).toEqual(['a']);
    });
  });
}
