import {afterEach, describe, expect, test} from 'vitest';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {choose} from '../../domain/merge/conflict.ts';
import {type BranchWorld, MAIN, openBranchWorld} from './branch-fixtures.ts';

const SCHEMA = {
  version: '1.0',
  nodes: [
    {
      namespace: 'Infra',
      name: 'Site',
      attributes: [
        {name: 'name', kind: 'Text', unique: true},
        {name: 'city', kind: 'Text', optional: true},
      ],
      relationships: [
        {name: 'devices', peer: 'InfraDevice', identifier: 'device__site', cardinality: 'many'},
      ],
    },
    {
      namespace: 'Infra',
      name: 'Device',
      attributes: [
        {name: 'name', kind: 'Text', unique: true},
        {name: 'role', kind: 'Text', optional: true},
        {
          name: 'label',
          kind: 'Text',
          optional: true,
          read_only: true,
          computed_attribute: {kind: 'Jinja2', jinja2_template: '{{ name__value }}/{{ role__value }}'},
        },
        {name: 'status', kind: 'Dropdown', optional: true, choices: [{name: 'up'}, {name: 'down'}]},
      ],
      relationships: [
        {name: 'site', peer: 'InfraSite', identifier: 'device__site', cardinality: 'one', optional: true},
      ],
    },
  ],
};

const worlds: BranchWorld[] = [];
afterEach(async () => {
  for (const opened of worlds.splice(0)) {
    expect(await opened.problems()).toEqual([]);
    await opened.close();
  }
});

async function world(): Promise<BranchWorld> {
  const opened = await openBranchWorld(SCHEMA);
  worlds.push(opened);
  return opened;
}

describe('a merge', () => {
  test('brings created, changed, deleted and linked objects into the origin as one commit', async () => {
    const {store, on, main, branch, merge} = await world();
    const site = await main.create('InfraSite', {name: 'zurich'});
    const old = await main.create('InfraDevice', {name: 'old'});
    const kept = await main.create('InfraDevice', {name: 'kept', role: 'leaf'});
    const name = await branch('feature');
    const feature = on(name);
    const made = await feature.create('InfraDevice', {name: 'made'}, {site: {id: site}});
    await feature.set(kept, 'InfraDevice', {role: 'spine'}, {site: {id: site}});
    await feature.remove(old, 'InfraDevice');
    const before = (await store.commits({branch: MAIN, limit: 100, newestFirst: true})).length;
    expect(await merge(name)).toMatchObject({is: 'done', conflicts: []});
    expect((await store.commits({branch: MAIN, limit: 100, newestFirst: true})).length).toBe(before + 1);
    expect(await main.value(made, 'name')).toBe('made');
    expect(await main.value(kept, 'role')).toBe('spine');
    expect(await main.value(kept, 'label')).toBe('kept/spine');
    expect(await main.node(old)).toBe(undefined);
    expect(new Set(await main.peers(site, 'devices'))).toEqual(new Set([made, kept]));
    expect(await store.diff({branch: name})).toEqual([]);
  });

  test('of nothing is a no-op, and so is a second merge', async () => {
    const {on, main, branch, merge} = await world();
    const name = await branch('feature');
    expect(await merge(name)).toEqual({is: 'up-to-date'});
    await on(name).create('InfraDevice', {name: 'made'});
    expect(await merge(name)).toMatchObject({is: 'done'});
    expect(await merge(name)).toEqual({is: 'up-to-date'});
    const later = await on(name).create('InfraDevice', {name: 'later'});
    expect(await merge(name)).toMatchObject({is: 'done'});
    expect(await main.value(later, 'name')).toBe('later');
  });

  test('takes different attributes of one object from each side', async () => {
    const {on, main, branch, merge} = await world();
    const id = await main.create('InfraDevice', {name: 'a', role: 'leaf', status: 'up'});
    const name = await branch('feature');
    await on(name).set(id, 'InfraDevice', {role: 'spine'});
    await main.set(id, 'InfraDevice', {status: 'down'});
    expect(await merge(name)).toMatchObject({is: 'done', conflicts: []});
    expect([await main.value(id, 'role'), await main.value(id, 'status')]).toEqual(['spine', 'down']);
    expect(await on(name).value(id, 'status')).toBe('down');
  });

  test('a dry run answers as the merge would, and changes nothing', async () => {
    const {store, on, main, branch, merge} = await world();
    const name = await branch('feature');
    const id = await on(name).create('InfraDevice', {name: 'made'});
    const commits = () => store.commits({branch: MAIN, limit: 100, newestFirst: true});
    const before = await commits();
    expect(await merge(name, true)).toMatchObject({is: 'done', commit: undefined, changes: 1});
    expect(await main.node(id)).toBe(undefined);
    expect(await commits()).toEqual(before);
    expect(await merge(name)).toMatchObject({is: 'done', changes: 1});
  });
});

describe('a conflict', () => {
  test('of one attribute refuses the merge with both values, until a side is chosen', async () => {
    const {store, on, main, branch, merge} = await world();
    const id = await main.create('InfraDevice', {name: 'a', role: 'leaf'});
    for (const side of ['branch', 'origin'] as const) {
      const name = await branch(`feature-${side}`);
      await on(name).set(id, 'InfraDevice', {role: `from-${name}`});
      await main.set(id, 'InfraDevice', {role: `from-main-${side}`});
      const outcome = await merge(name);
      expect(outcome).toMatchObject({
        is: 'conflicted',
        conflicts: [
          {
            subject: {is: 'attribute', attribute: 'role', property: 'value', node: id},
            branch: {value: `from-${name}`},
            origin: {value: `from-main-${side}`},
            choice: undefined,
          },
        ],
      });
      if (outcome.is !== 'conflicted') throw new Error('no conflict');
      await store.choose(name, outcome.conflicts[0]!.id, choose(outcome.conflicts[0]!, side));
      expect(await merge(name)).toMatchObject({is: 'done'});
      expect(await main.value(id, 'role')).toBe(side === 'branch' ? `from-${name}` : `from-main-${side}`);
    }
  });

  test('that was decided opens again when a side changes', async () => {
    const {store, on, main, branch, merge} = await world();
    const id = await main.create('InfraDevice', {name: 'a', role: 'leaf'});
    const name = await branch('feature');
    await on(name).set(id, 'InfraDevice', {role: 'x'});
    await main.set(id, 'InfraDevice', {role: 'y'});
    const outcome = await merge(name);
    if (outcome.is !== 'conflicted') throw new Error('no conflict');
    await store.choose(name, outcome.conflicts[0]!.id, choose(outcome.conflicts[0]!, 'branch'));
    await main.set(id, 'InfraDevice', {role: 'z'});
    expect(await merge(name)).toMatchObject({is: 'conflicted', conflicts: [{choice: undefined}]});
  });

  test('of a to-one peer moves it to the side that is chosen', async () => {
    const {store, on, main, branch, merge} = await world();
    const sites = [];
    for (const name of ['a', 'b', 'c']) sites.push(await main.create('InfraSite', {name}));
    const [a, b, c] = sites as [NodeId, NodeId, NodeId];
    const id = await main.create('InfraDevice', {name: 'd'}, {site: {id: a}});
    for (const side of ['origin', 'branch'] as const) {
      const name = await branch(`feature-${side}`);
      await on(name).set(id, 'InfraDevice', {}, {site: {id: b}});
      await main.set(id, 'InfraDevice', {}, {site: {id: c}});
      const outcome = await merge(name);
      expect(outcome).toMatchObject({
        is: 'conflicted',
        conflicts: [{subject: {is: 'peer', relationship: 'site'}}],
      });
      if (outcome.is !== 'conflicted') throw new Error('no conflict');
      await store.choose(name, outcome.conflicts[0]!.id, choose(outcome.conflicts[0]!, side));
      expect(await merge(name)).toMatchObject({is: 'done'});
      expect(await main.peers(id, 'site')).toEqual([side === 'origin' ? c : b]);
      await main.set(id, 'InfraDevice', {}, {site: {id: a}});
    }
  });

  test('of a delete against a change is decided either way', async () => {
    const {store, on, main, branch, merge} = await world();
    for (const side of ['branch', 'origin'] as const) {
      const gone = await main.create('InfraDevice', {name: `gone-${side}`});
      const back = await main.create('InfraDevice', {name: `back-${side}`});
      const name = await branch(`feature-${side}`);
      await on(name).remove(gone, 'InfraDevice');
      await on(name).set(back, 'InfraDevice', {role: 'spine'});
      await main.set(gone, 'InfraDevice', {role: 'leaf'});
      await main.remove(back, 'InfraDevice');
      const outcome = await merge(name);
      if (outcome.is !== 'conflicted') throw new Error('no conflict');
      expect(outcome.conflicts.map(conflict => conflict.subject.is)).toEqual(['node', 'node']);
      for (const conflict of outcome.conflicts) await store.choose(name, conflict.id, choose(conflict, side));
      expect(await merge(name)).toMatchObject({is: 'done'});
      expect((await main.node(gone)) === undefined).toBe(side === 'branch');
      expect(await main.value(back, 'role')).toBe(side === 'branch' ? 'spine' : undefined);
    }
  });

  test('of one unique value on both sides drops the object of the side that is not chosen', async () => {
    const {store, on, main, branch, merge} = await world();
    for (const side of ['branch', 'origin'] as const) {
      const name = await branch(`feature-${side}`);
      const ours = await on(name).create('InfraDevice', {name: `same-${side}`, role: 'ours'});
      const theirs = await main.create('InfraDevice', {name: `same-${side}`, role: 'theirs'});
      const outcome = await merge(name);
      expect(outcome).toMatchObject({
        is: 'conflicted',
        conflicts: [{subject: {is: 'unique', node: ours, other: theirs, fields: ['name']}}],
      });
      if (outcome.is !== 'conflicted') throw new Error('no conflict');
      await store.choose(name, outcome.conflicts[0]!.id, choose(outcome.conflicts[0]!, side));
      expect(await merge(name)).toMatchObject({is: 'done'});
      expect((await main.node(ours)) !== undefined).toBe(side === 'branch');
      expect((await main.node(theirs)) !== undefined).toBe(side === 'origin');
    }
  });
});

describe('a rebase', () => {
  test('shows what the origin did meanwhile, keeps what the branch did, and can then be merged', async () => {
    const {store, on, main, branch, merge, rebase} = await world();
    const id = await main.create('InfraDevice', {name: 'a', role: 'leaf', status: 'up'});
    const name = await branch('feature');
    await on(name).set(id, 'InfraDevice', {role: 'spine'});
    const other = await main.create('InfraDevice', {name: 'b'});
    await main.set(id, 'InfraDevice', {status: 'down'});
    expect(await on(name).node(other)).toBe(undefined);
    expect(await rebase(name)).toMatchObject({is: 'done'});
    expect(await on(name).value(other, 'name')).toBe('b');
    expect([await on(name).value(id, 'role'), await on(name).value(id, 'status')]).toEqual(['spine', 'down']);
    expect(await store.diff({branch: name})).toMatchObject([
      {id, attributes: [{name: 'role'}, {name: 'label'}]},
    ]);
    expect(await merge(name)).toMatchObject({is: 'done'});
    expect(await main.value(id, 'role')).toBe('spine');
  });

  test('shows what the origin did to objects that the branch changed and set back', async () => {
    const {on, main, branch, rebase, merge} = await world();
    const [here, there] = [
      await main.create('InfraSite', {name: 'here'}),
      await main.create('InfraSite', {name: 'there'}),
    ];
    const id = await main.create('InfraDevice', {name: 'one', role: 'leaf'}, {site: {id: here}});
    const name = await branch('feature');
    await on(name).set(id, 'InfraDevice', {role: 'spine'}, {site: null});
    await on(name).set(id, 'InfraDevice', {role: 'leaf'}, {site: {id: here}});
    await main.set(id, 'InfraDevice', {role: 'border'}, {site: {id: there}});
    await rebase(name);
    for (const place of [on(name), main]) {
      expect(await place.value(id, 'role')).toBe('border');
      expect(await place.peers(id, 'site')).toEqual([there]);
    }
    await merge(name);
    expect(await main.value(id, 'role')).toBe('border');
    expect(await main.peers(id, 'site')).toEqual([there]);
  });

  test('is refused while both sides claim one unique value', async () => {
    const {on, main, branch, rebase} = await world();
    const name = await branch('feature');
    await on(name).create('InfraDevice', {name: 'same'});
    await main.create('InfraDevice', {name: 'same'});
    expect(await rebase(name)).toMatchObject({is: 'conflicted', conflicts: [{subject: {is: 'unique'}}]});
  });

  test('reads at an instant before it stay as they were', async () => {
    const {store, on, main, branch, rebase} = await world();
    const id = await main.create('InfraDevice', {name: 'a', role: 'leaf'});
    const name = await branch('feature');
    await on(name).create('InfraDevice', {name: 'own'});
    await main.set(id, 'InfraDevice', {role: 'spine'});
    const before = store.now();
    await rebase(name);
    expect((await (await store.snapshot({branch: name, at: before})).node(id))?.value('role')).toBe('leaf');
    expect(await on(name).value(id, 'role')).toBe('spine');
  });
});

describe('schemas', () => {
  test('of two branches that add different attributes and choices come together', async () => {
    const {on, main, branch, merge, load} = await world();
    const device = (attributes: object[]) => ({
      version: '1.0',
      extensions: {nodes: [{kind: 'InfraDevice', attributes}]},
    });
    const [one, two] = [await branch('one'), await branch('two')];
    await load(one, device([{name: 'serial', kind: 'Text', optional: true}]));
    await load(two, device([{name: 'asset', kind: 'Text', optional: true}]));
    const id = await on(one).create('InfraDevice', {name: 'a', serial: 's1'});
    const other = await on(two).create('InfraDevice', {name: 'b', asset: 'a1'});
    expect(await merge(one)).toMatchObject({is: 'done', conflicts: []});
    expect(await merge(two)).toMatchObject({is: 'done', conflicts: []});
    expect([await main.value(id, 'serial'), await main.value(other, 'asset')]).toEqual(['s1', 'a1']);
  });
});
