import {afterEach, describe, expect, test} from 'vitest';
import type {BranchName} from '../../domain/branch/branch.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {choose, type Side} from '../../domain/merge/conflict.ts';
import {branchConflicts} from './branch-conflicts.ts';
import {type BranchWorld, openBranchWorld} from './branch-fixtures.ts';

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
        {name: 'serial', kind: 'Text', unique: true, optional: true},
        {name: 'role', kind: 'Text', optional: true},
        {
          name: 'label',
          kind: 'Text',
          optional: true,
          read_only: true,
          computed_attribute: {
            kind: 'Jinja2',
            jinja2_template: '{{ name__value }}/{{ backup__serial__value }}',
          },
        },
      ],
      relationships: [
        {name: 'site', peer: 'InfraSite', identifier: 'device__site', cardinality: 'one', optional: false},
        {
          name: 'backup',
          peer: 'InfraDevice',
          identifier: 'device__backup',
          cardinality: 'one',
          optional: true,
        },
        {
          name: 'ports',
          peer: 'InfraPort',
          identifier: 'device__port',
          cardinality: 'many',
          kind: 'Component',
          optional: true,
        },
      ],
    },
    {
      namespace: 'Infra',
      name: 'Port',
      attributes: [{name: 'name', kind: 'Text'}],
      uniqueness_constraints: [['device', 'name__value']],
      relationships: [
        {
          name: 'device',
          peer: 'InfraDevice',
          identifier: 'device__port',
          cardinality: 'one',
          kind: 'Parent',
          optional: false,
        },
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

async function world() {
  const opened = await openBranchWorld(SCHEMA);
  worlds.push(opened);
  const {store, deps, main, on} = opened;
  const site = await main.create('InfraSite', {name: 'zurich'});
  const device = (name: string, branch?: BranchName, at: NodeId = site) =>
    (branch === undefined ? main : on(branch)).create('InfraDevice', {name}, {site: {id: at}});
  /** Chooses one side in all conflicts. */
  const decide = async (branch: BranchName, side: Side) => {
    for (const conflict of await branchConflicts(deps, branch)) {
      await store.choose(branch, conflict.id, choose(conflict, side));
    }
  };
  return {...opened, site, device, decide};
}

const refused = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (each: unknown) => each,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return (error as ServiceError).message;
};

describe('an object that one side deleted and the other kept', () => {
  test('has all its peers still, after a merge and after a rebase, whichever side deleted it', async () => {
    for (const verb of ['merge', 'rebase'] as const) {
      for (const winner of ['branch', 'origin'] as const) {
        const {main, on, branch, device, decide, site, ...verbs} = await world();
        const [kept, other] = [await device('kept'), await device('other')];
        await main.set(kept, 'InfraDevice', {serial: 'K'}, {backup: {id: other}});
        const name = await branch('feature');
        // The site is touched on both sides, so that each has a word on its devices.
        await device('ours', name);
        await device('theirs');
        const [deleting, keeping] = winner === 'branch' ? [main, on(name)] : [on(name), main];
        await deleting.remove(kept, 'InfraDevice');
        await keeping.set(kept, 'InfraDevice', {role: 'spine'});
        await decide(name, winner);
        expect(await verbs[verb](name)).toMatchObject({is: 'done'});
        for (const place of verb === 'merge' ? [main, on(name)] : [on(name)]) {
          expect(await place.value(kept, 'role')).toBe('spine');
          expect(await place.peers(kept, 'site')).toEqual([site]);
          expect(await place.peers(kept, 'backup')).toEqual([other]);
          expect(await place.value(other, 'label')).toBe('other/K');
        }
        await verbs.merge(name);
        expect(await main.peers(kept, 'site')).toEqual([site]);
      }
    }
  });

  test('is there after a rebase when the branch had only linked it', async () => {
    const {main, on, branch, device, decide, rebase, merge} = await world();
    const backup = await device('backup');
    const name = await branch('feature');
    const ours = await device('ours', name);
    await on(name).set(ours, 'InfraDevice', {}, {backup: {id: backup}});
    await main.remove(backup, 'InfraDevice');
    await decide(name, 'branch');
    await rebase(name);
    expect(await on(name).peers(ours, 'backup')).toEqual([backup]);
    await merge(name);
    expect(await main.peers(ours, 'backup')).toEqual([backup]);
  });

  test('is not given up while others need it', async () => {
    const {main, on, branch, device, decide, merge, rebase} = await world();
    const basel = await main.create('InfraSite', {name: 'basel'});
    const bern = await main.create('InfraSite', {name: 'bern'});
    const name = await branch('feature');
    await on(name).remove(basel, 'InfraSite');
    await main.remove(bern, 'InfraSite');
    const theirs = await device('theirs', undefined, basel);
    await decide(name, 'branch');
    for (const verb of [merge, rebase]) {
      expect(await refused(verb(name))).toContain(`${theirs} has 0 peers`);
    }
    expect(await main.peers(theirs, 'site')).toEqual([basel]);
    const ours = await device('ours', name, bern);
    await decide(name, 'origin');
    expect(await refused(rebase(name))).toContain(`${ours} has 0 peers`);
    expect(await on(name).peers(ours, 'site')).toEqual([bern]);
  });

  test('leaves no edge behind that only the branch gave it', async () => {
    const {main, on, branch, device, decide, rebase} = await world();
    const gone = await device('gone');
    const name = await branch('feature');
    await on(name).set(gone, 'InfraDevice', {}, {backup: {id: gone}});
    await main.remove(gone, 'InfraDevice');
    await decide(name, 'origin');
    expect(await rebase(name)).toMatchObject({is: 'done'});
    expect(await on(name).node(gone)).toBe(undefined);
  });

  test('takes along what went with it on its side', async () => {
    const {main, on, branch, device, decide, rebase, merge} = await world();
    const gone = await device('gone');
    const port = await main.create('InfraPort', {name: 'p'}, {device: {id: gone}});
    const name = await branch('feature');
    await on(name).set(gone, 'InfraDevice', {role: 'spine'});
    await main.remove(gone, 'InfraDevice');
    await decide(name, 'origin');
    expect(await rebase(name)).toMatchObject({is: 'done'});
    expect(await on(name).node(port)).toBe(undefined);
    await merge(name);
    expect(await main.node(port)).toBe(undefined);
  });

  test('is decided anew when it is changed further', async () => {
    const {main, on, branch, device, decide, merge} = await world();
    const id = await device('one');
    const name = await branch('feature');
    await on(name).remove(id, 'InfraDevice');
    await main.set(id, 'InfraDevice', {role: 'leaf'});
    await decide(name, 'branch');
    await main.set(id, 'InfraDevice', {role: 'spine'});
    expect(await merge(name)).toMatchObject({is: 'conflicted'});
  });
});

test('a to-one peer that both sides moved is where the chosen side put it, after a rebase too', async () => {
  for (const winner of ['branch', 'origin'] as const) {
    const {main, on, branch, device, decide, rebase, merge} = await world();
    const [ours, theirs] = [
      await main.create('InfraSite', {name: 'ours'}),
      await main.create('InfraSite', {name: 'theirs'}),
    ];
    const id = await device('moved');
    const name = await branch('feature');
    await on(name).set(id, 'InfraDevice', {}, {site: {id: ours}});
    await main.set(id, 'InfraDevice', {}, {site: {id: theirs}});
    await decide(name, winner);
    const chosen = winner === 'branch' ? ours : theirs;
    expect(await rebase(name)).toMatchObject({is: 'done'});
    expect(await on(name).peers(id, 'site')).toEqual([chosen]);
    await merge(name);
    expect(await main.peers(id, 'site')).toEqual([chosen]);
  }
});

describe('an object that loses its claim to a unique value', () => {
  test('and was there before gives up the value alone, whether the branch is merged or rebased first', async () => {
    for (const isRebased of [false, true]) {
      for (const winner of ['branch', 'origin'] as const) {
        const {main, on, branch, device, decide, merge, rebase, site} = await world();
        const [ours, theirs] = [await device('a'), await device('b')];
        const reader = await device('c');
        await main.set(reader, 'InfraDevice', {}, {backup: {id: ours}});
        const name = await branch('feature');
        await on(name).set(ours, 'InfraDevice', {serial: 'S1', role: 'ours'});
        await main.set(theirs, 'InfraDevice', {serial: 'S1', role: 'theirs'});
        await decide(name, winner);
        if (isRebased) await rebase(name);
        await merge(name);
        for (const place of [main, on(name)]) {
          expect(await place.value(ours, 'serial')).toBe(winner === 'branch' ? 'S1' : null);
          expect(await place.value(theirs, 'serial')).toBe(winner === 'origin' ? 'S1' : null);
          expect([await place.value(ours, 'role'), await place.value(theirs, 'role')]).toEqual([
            'ours',
            'theirs',
          ]);
          expect(await place.value(reader, 'label')).toBe(winner === 'branch' ? 'c/S1' : 'c/None');
          expect(new Set(await place.peers(site, 'devices'))).toEqual(new Set([ours, theirs, reader]));
        }
      }
    }
  });

  test('gives it up also where the branch has changed something else in it', async () => {
    for (const isRebased of [false, true]) {
      const {main, on, branch, device, decide, merge, rebase} = await world();
      const theirs = await device('a');
      const name = await branch('feature');
      await on(name).set(theirs, 'InfraDevice', {role: 'spine'});
      const ours = await device('b', name);
      await main.set(theirs, 'InfraDevice', {name: 'b'});
      await decide(name, 'branch');
      if (isRebased) await rebase(name);
      await merge(name);
      expect([await main.value(theirs, 'name'), await main.value(theirs, 'role')]).toEqual(['a', 'spine']);
      expect(await main.value(ours, 'name')).toBe('b');
    }
  });

  test('is known by the value, not by what else the branch has changed', async () => {
    for (const winner of ['branch', 'origin'] as const) {
      const {main, on, branch, decide, rebase, merge} = await world();
      const theirs = await main.create('InfraSite', {name: 'bern'});
      const name = await branch('feature');
      await on(name).set(theirs, 'InfraSite', {city: 'Bern'});
      const ours = await on(name).create('InfraSite', {name: 'basel'});
      await main.set(theirs, 'InfraSite', {name: 'basel'});
      await decide(name, winner);
      expect(await rebase(name)).toMatchObject({is: 'done'});
      await merge(name);
      expect(await main.value(theirs, 'name')).toBe(winner === 'branch' ? 'bern' : 'basel');
      expect(await main.value(theirs, 'city')).toBe('Bern');
      expect(await main.value(ours, 'name')).toBe(winner === 'branch' ? 'basel' : undefined);
    }
  });

  test('is dropped for one that the branch deleted in vain', async () => {
    for (const isRebased of [false, true]) {
      const {main, on, branch, device, decide, rebase, merge, deps} = await world();
      const kept = await device('same');
      const name = await branch('feature');
      await on(name).remove(kept, 'InfraDevice');
      const ours = await device('same', name);
      await main.set(kept, 'InfraDevice', {role: 'spine'});
      await decide(name, 'origin');
      const verb = isRebased ? rebase : merge;
      const outcome = await verb(name);
      for (const conflict of outcome.is === 'conflicted' ? outcome.conflicts : []) {
        await deps.store.choose(name, conflict.id, choose(conflict, 'origin'));
      }
      await verb(name);
      await merge(name);
      expect(await main.value(kept, 'role')).toBe('spine');
      for (const place of isRebased ? [main, on(name)] : [main])
        expect(await place.node(ours)).toBe(undefined);
    }
  });

  test('and was made since is not dropped while others need it', async () => {
    for (const winner of ['branch', 'origin'] as const) {
      const {main, on, branch, device, decide, merge, rebase} = await world();
      const name = await branch('feature');
      const ours = await on(name).create('InfraSite', {name: 'basel'});
      const theirs = await main.create('InfraSite', {name: 'basel'});
      const needing = await device(
        'needing',
        winner === 'branch' ? undefined : name,
        winner === 'branch' ? theirs : ours,
      );
      await decide(name, winner);
      expect(await refused(merge(name))).toContain(`${needing} has 0 peers`);
      if (winner === 'origin') expect(await refused(rebase(name))).toContain(`${needing} has 0 peers`);
    }
  });
});
