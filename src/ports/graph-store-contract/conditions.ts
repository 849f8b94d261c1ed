import {describe, expect} from 'vitest';
import type {Condition} from '../../domain/query/node-query.ts';
import {freshId, justBefore} from '../graph-store-fixtures.ts';
import {all, any, devices, fourDevices, is, not, on, related} from './condition-words.ts';
import type {Scenario} from './world.ts';

export function conditionsContract(scenario: Scenario): void {
  describe('conditions', () => {
    for (const [what, role, number] of [
      ['an indexed attribute', 'role', 'position'],
      ['an attribute without index', 'status', 'weight'],
    ] as const) {
      scenario(`${what} is tested for equality, order and absence`, async world => {
        await fourDevices(world);
        const [first, second] = role === 'role' ? ['leaf', 'spine'] : ['Up', 'down'];
        const [x, y] = number === 'position' ? [1, 2] : [-5, 10];
        const ofFirst = role === 'role' ? ['a', 'b'] : ['a'];
        expect(await devices(world, is(role, first))).toEqual(ofFirst);
        expect(await devices(world, is(role, first, second))).toEqual([...ofFirst, 'c']);
        expect(await devices(world, is(role))).toEqual([]);
        expect(await devices(world, is(role, 'nothing'))).toEqual([]);
        expect(await devices(world, on(role, {op: 'isNull'}))).toEqual(['d']);
        expect(await devices(world, not(on(role, {op: 'isNull'})))).toEqual(['a', 'b', 'c']);
        const [lowest, middle] = number === 'position' ? ['a', 'b'] : ['b', 'a'];
        expect(await devices(world, is(number, x))).toEqual([lowest]);
        expect(await devices(world, on(number, {op: 'less', value: y}))).toEqual([lowest]);
        expect(await devices(world, on(number, {op: 'lessOrEqual', value: y}))).toEqual(['a', 'b']);
        expect(await devices(world, on(number, {op: 'greater', value: x}))).toEqual([middle, 'c'].sort());
        expect(await devices(world, on(number, {op: 'greaterOrEqual', value: x}))).toEqual(['a', 'b', 'c']);
        expect(await devices(world, on(number, {op: 'greater', value: 100}))).toEqual([]);
      });
    }

    scenario('a test on a missing value is false, and its negation true', async world => {
      await fourDevices(world);
      expect(await devices(world, not(is('role', 'leaf')))).toEqual(['c', 'd']);
      expect(await devices(world, not(on('position', {op: 'less', value: 5})))).toEqual(['c', 'd']);
      expect(await devices(world, not(on('status', {op: 'contains', text: 'up', ignoreCase: true})))).toEqual(
        ['c', 'd'],
      );
      expect(await devices(world, is('role', null))).toEqual([]);
      expect(await devices(world, not(is('role', null, 'leaf')))).toEqual(['c', 'd']);
    });

    scenario(
      'text is searched at the start, the end and inside, with or without regard to case',
      async world => {
        await fourDevices(world);
        const status = (op: 'contains' | 'startsWith' | 'endsWith', text: string, ignoreCase = false) =>
          devices(world, on('status', {op, text, ignoreCase}));
        expect(await status('startsWith', 'up')).toEqual(['b']);
        expect(await status('startsWith', 'UP', true)).toEqual(['a', 'b']);
        expect(await status('endsWith', 'ing')).toEqual(['b']);
        expect(await status('endsWith', 'P', true)).toEqual(['a']);
        expect(await status('contains', 'n')).toEqual(['b', 'c']);
        expect(await status('contains', 'AND', false)).toEqual([]);
        expect(await status('contains', 'AND', true)).toEqual(['b']);
        expect(await status('contains', '')).toEqual(['a', 'b', 'c']);
      },
    );

    scenario('text search takes its text literally and knows all letters', async world => {
      for (const name of ['100%', '100 percent', 'a_b', 'axb', 'Zürich', 'back\\slash', "quote'd", 'star*']) {
        await world.create('TestSite', {name, city: name});
      }
      const cities = (op: 'contains' | 'startsWith' | 'endsWith', text: string, ignoreCase: boolean) =>
        world.list({kind: 'TestSite', where: on('city', {op, text, ignoreCase})});
      for (const ignoreCase of [false, true]) {
        expect(await cities('contains', '%', ignoreCase)).toEqual(['100%']);
        expect(await cities('contains', 'a_b', ignoreCase)).toEqual(['a_b']);
        expect(await cities('contains', '\\', ignoreCase)).toEqual(['back\\slash']);
        expect(await cities('contains', "'", ignoreCase)).toEqual(["quote'd"]);
        expect(await cities('endsWith', '*', ignoreCase)).toEqual(['star*']);
        expect(await cities('startsWith', '100%', ignoreCase)).toEqual(['100%']);
      }
      expect(await cities('contains', 'ZÜ', true)).toEqual(['Zürich']);
      expect(await cities('contains', 'ZÜ', false)).toEqual([]);
      expect(
        await world.list({
          kind: 'TestSite',
          where: on('name', {op: 'startsWith', text: 'zÜR', ignoreCase: true}),
        }),
      ).toEqual(['Zürich']);
    });

    scenario('numbers and truth values are searched by their text', async world => {
      await fourDevices(world);
      expect(await devices(world, on('position', {op: 'contains', text: '1', ignoreCase: true}))).toEqual([
        'a',
        'c',
      ]);
      expect(await devices(world, on('weight', {op: 'startsWith', text: '1', ignoreCase: true}))).toEqual([
        'a',
        'c',
      ]);
      expect(await devices(world, on('enabled', {op: 'contains', text: 'TRU', ignoreCase: true}))).toEqual([
        'a',
      ]);
    });

    scenario('false, zero and the empty text are values that a test finds', async world => {
      await world.create('TestDevice', {name: '', enabled: false, position: 0, weight: 0, status: ''});
      const find = async (where: Condition) => (await devices(world, where)).length;
      expect(await find(is('enabled', false))).toBe(1);
      expect(await find(is('position', 0))).toBe(1);
      expect(await find(is('weight', 0))).toBe(1);
      expect(await find(is('status', ''))).toBe(1);
      expect(await find(is('name', ''))).toBe(1);
      expect(await find(on('enabled', {op: 'isNull'}))).toBe(0);
      expect(await find(is('enabled', true))).toBe(0);
    });

    scenario('addresses compare as addresses, and by their parts', async world => {
      await fourDevices(world);
      expect(await devices(world, on('address', {op: 'less', value: '10.0.0.9/24'}))).toEqual(['a']);
      expect(await devices(world, on('address', {op: 'greater', value: '10.0.0.9/24'}))).toEqual(['b', 'c']);
      expect(await devices(world, on('address', {op: 'in', values: [6]}, 'version'))).toEqual(['c']);
      expect(await devices(world, on('address', {op: 'less', value: 6}, 'version'))).toEqual(['a', 'b']);
      expect(await devices(world, on('address', {op: 'isNull'}, 'version'))).toEqual(['d']);
      const binary = '1'.padStart(32, '00001010'.padEnd(31, '0'));
      expect(await devices(world, on('address', {op: 'in', values: [binary]}, 'binary_address'))).toEqual([
        'a',
      ]);
    });

    scenario('times compare as times', async world => {
      for (const [name, installed] of [
        ['whole', '2026-01-01T10:00:00Z'],
        ['fraction', '2026-01-01T10:00:00.5Z'],
        ['later', '2026-01-01T10:00:01Z'],
      ] as const) {
        await world.create('TestDevice', {name, installed});
      }
      expect(await devices(world, on('installed', {op: 'greater', value: '2026-01-01T10:00:00Z'}))).toEqual([
        'fraction',
        'later',
      ]);
      expect(await devices(world, on('installed', {op: 'less', value: '2026-01-01T10:00:00.5Z'}))).toEqual([
        'whole',
      ]);
    });

    scenario('lists and documents are compared as a whole', async world => {
      await world.create('TestSite', {name: 'a', contacts: ['x', 'y'], facts: {b: 1, a: [null]}});
      await world.create('TestSite', {name: 'b', contacts: ['x'], facts: {}});
      const sites = (where: Condition) => world.list({kind: 'TestSite', where});
      expect(await sites(is('contacts', ['x', 'y']))).toEqual(['a']);
      expect(await sites(is('facts', {a: [null], b: 1}))).toEqual(['a']);
      expect(await sites(is('facts', {}))).toEqual(['b']);
      expect(await sites(is('contacts', ['y', 'x']))).toEqual([]);
    });

    scenario('a value of another type is neither equal nor more nor less', async world => {
      await fourDevices(world);
      const ops = ['less', 'lessOrEqual', 'greater', 'greaterOrEqual'] as const;
      for (const name of ['role', 'status', 'enabled', 'installed']) {
        for (const op of ops) expect(await devices(world, on(name, {op, value: 1}))).toEqual([]);
        expect(await devices(world, is(name, 1, 0))).toEqual([]);
      }
      for (const name of ['position', 'weight']) {
        for (const op of ops) expect(await devices(world, on(name, {op, value: '1'}))).toEqual([]);
        expect(await devices(world, is(name, '1', true))).toEqual([]);
      }
      expect(await devices(world, {is: 'anyAttribute', test: {op: 'less', value: -4}})).toEqual(['b']);
    });

    scenario('conditions are joined by all, any and not, to any depth', async world => {
      await fourDevices(world);
      expect(await devices(world, all())).toEqual(['a', 'b', 'c', 'd']);
      expect(await devices(world, any())).toEqual([]);
      expect(
        await devices(world, all(is('role', 'leaf'), on('position', {op: 'greater', value: 1}))),
      ).toEqual(['b']);
      expect(await devices(world, any(is('role', 'spine'), is('name', 'd')))).toEqual(['c', 'd']);
      expect(
        await devices(world, not(any(is('role', 'spine'), all(is('role', 'leaf'), is('enabled', true))))),
      ).toEqual(['b', 'd']);
      expect(await devices(world, not(not(is('role', 'leaf'))))).toEqual(['a', 'b']);
    });

    scenario('objects are picked by id and by kind', async world => {
      const [a, b, c] = await fourDevices(world);
      await world.create('TestServer', {name: 'srv'});
      expect(await devices(world, {is: 'id', in: [c!, a!, freshId()]})).toEqual(['a', 'c']);
      expect(await devices(world, {is: 'id', in: []})).toEqual([]);
      expect(await devices(world, not({is: 'id', in: [b!]}))).toEqual(['a', 'c', 'd']);
      const assets = (where: Condition) => world.list({kind: 'TestAsset', where});
      expect(await assets({is: 'kind', in: ['TestServer']})).toEqual(['srv']);
      expect(await assets(not({is: 'kind', in: ['TestServer']}))).toEqual(['a', 'b', 'c', 'd']);
      expect(await assets({is: 'kind', in: []})).toEqual([]);
    });

    scenario('an id of another kind is not found', async world => {
      const tag = await world.create('TestTag', {name: 'red'});
      expect(await devices(world, {is: 'id', in: [tag]})).toEqual([]);
      expect(await world.list({kind: 'CoreNode', where: {is: 'id', in: [tag]}})).toEqual(['red']);
    });

    scenario(
      'a condition on an attribute or relationship that a kind lacks is false for its objects',
      async world => {
        await fourDevices(world);
        await world.create('TestServer', {name: 'srv', cores: 8});
        const assets = (where: Condition) => world.list({kind: 'TestAsset', where});
        expect(await assets(is('cores', 8))).toEqual(['srv']);
        expect(await assets(on('cores', {op: 'isNull'}))).toEqual([]);
        expect(await assets(not(on('cores', {op: 'isNull'})))).toEqual(['a', 'b', 'c', 'd', 'srv']);
        expect(await assets(not(is('role', 'leaf')))).toEqual(['c', 'd', 'srv']);
        expect(await assets(related('uplinks'))).toEqual([]);
        expect(await assets(not(related('uplinks')))).toEqual(['a', 'b', 'c', 'd', 'srv']);
        expect(
          await assets({is: 'metadata', attribute: 'cores', test: {field: 'isVisible', equals: true}}),
        ).toEqual(['srv']);
      },
    );

    scenario('any attribute may carry the value', async world => {
      await fourDevices(world);
      expect(await devices(world, {is: 'anyAttribute', test: {op: 'in', values: ['leaf', 10]}})).toEqual([
        'a',
        'b',
        'c',
      ]);
      const text = {op: 'contains', text: 'DOWN', ignoreCase: true} as const;
      expect(await devices(world, {is: 'anyAttribute', test: text})).toEqual(['c']);
      expect(await devices(world, not({is: 'anyAttribute', test: text}))).toEqual(['a', 'b', 'd']);
      expect(await devices(world, {is: 'anyAttribute', test: {op: 'in', values: ['10']}})).toEqual([]);
    });

    scenario('metadata is tested on one attribute or on all', async world => {
      const [a, b, c] = await fourDevices(world);
      const [ada, bob] = [freshId(), freshId()];
      await world.update(a!, {role: {source: ada, isProtected: true}});
      await world.update(b!, {status: {source: bob, owner: ada, isVisible: false}});
      await world.update(c!, {role: {value: 'x', isFromProfile: true, isDefault: true}});
      const metadata = (attribute: string, test: (Condition & {is: 'metadata'})['test']) =>
        devices(world, {is: 'metadata', attribute, test});
      expect(await metadata('role', {field: 'source', in: [ada]})).toEqual(['a']);
      expect(await metadata('role', {field: 'source', in: [bob]})).toEqual([]);
      expect(await metadata('*', {field: 'source', in: [ada, bob]})).toEqual(['a', 'b']);
      expect(await metadata('*', {field: 'owner', in: [ada]})).toEqual(['b']);
      expect(await metadata('*', {field: 'owner', in: []})).toEqual([]);
      expect(await metadata('role', {field: 'isProtected', equals: true})).toEqual(['a']);
      expect(await metadata('role', {field: 'isProtected', equals: false})).toEqual(['b', 'c', 'd']);
      expect(await metadata('*', {field: 'isVisible', equals: false})).toEqual(['b']);
      expect(await metadata('role', {field: 'isDefault', equals: true})).toEqual(['c', 'd']);
      expect(await metadata('role', {field: 'isFromProfile', equals: true})).toEqual(['c']);
      expect(await metadata('*', {field: 'isFromProfile', equals: false})).toEqual(['a', 'b', 'c', 'd']);
    });

    scenario('objects are picked by when they were made and changed, ends included', async world => {
      const [a, b, c, d] = await fourDevices(world);
      const [madeB, madeC] = [(await world.get(b!)).createdAt, (await world.get(c!)).createdAt];
      const between = {from: madeB, until: madeC} as const;
      expect(await devices(world, {is: 'node', field: 'createdAt', ...between})).toEqual(['b', 'c']);
      expect(await devices(world, {is: 'node', field: 'createdAt', from: madeC})).toEqual(['c', 'd']);
      expect(await devices(world, {is: 'node', field: 'createdAt', until: justBefore(madeC)})).toEqual([
        'a',
        'b',
      ]);
      expect(await devices(world, {is: 'node', field: 'createdAt'})).toEqual(['a', 'b', 'c', 'd']);
      const changed = await world.set(a!, {role: 'x'});
      await world.set(d!, {role: 'y'});
      expect(await devices(world, {is: 'node', field: 'updatedAt', from: changed!})).toEqual(['a', 'd']);
      expect(await devices(world, {is: 'node', field: 'updatedAt', from: changed!, until: changed!})).toEqual(
        ['a'],
      );
      expect(await devices(world, not({is: 'node', field: 'updatedAt', from: changed!}))).toEqual(['b', 'c']);
    });
  });
}
