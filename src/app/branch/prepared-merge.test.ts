import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {chosen, freshId, SERVICE} from '../../ports/graph-store-fixtures.ts';
import type {MergeStore} from '../../ports/merge-store.ts';
import {ADMIN, type BranchWorld, MAIN, openBranchWorld} from './branch-fixtures.ts';
import {mergeBranch, rebaseBranch} from './merge-branch.ts';

const SCHEMA = {
  version: '1.0',
  nodes: [
    {
      namespace: 'Infra',
      name: 'Device',
      attributes: [
        {name: 'name', kind: 'Text', unique: true},
        {name: 'role', kind: 'Text', optional: true},
      ],
    },
  ],
};
const DEVICES = 600;

let world: BranchWorld;
let devices: NodeId[];
let branch: BranchName;

beforeEach(async () => {
  world = await openBranchWorld(SCHEMA);
  devices = Array.from({length: DEVICES}, freshId);
  await world.store.write(MAIN, SERVICE, async draft => {
    for (const [index, id] of devices.entries()) {
      await draft.create({
        id,
        kind: 'InfraDevice',
        attributes: chosen({name: `device ${index}`, role: 'leaf'}),
      });
    }
  });
  branch = await world.branch('feature');
  await world.store.write(branch, SERVICE, async draft => {
    for (const id of devices.slice(1)) await draft.update(id, chosen({role: 'spine'}));
  });
});

afterEach(async () => {
  expect(await world.problems()).toEqual([]);
  await world.close();
});

/** The store, where something happens once, after a merge is prepared and before it is written. */
function meanwhile(happens: () => Promise<unknown>): BranchWorld['deps'] {
  const {store} = world;
  let hasHappened = false;
  const matter: MergeStore['matter'] = async name => {
    const found = await store.matter(name);
    if (!hasHappened) await happens();
    hasHappened = true;
    return found;
  };
  const merges = Object.assign(Object.create(store) as typeof store, {
    matter,
    combine: store.combine.bind(store),
    distance: store.distance.bind(store),
    clashes: store.clashes.bind(store),
  });
  return {...world.deps, merges};
}

describe('a large merge, weighed before its turn to write', () => {
  test('takes what was weighed when something else is written to its origin meanwhile', async () => {
    const deps = meanwhile(() => world.main.set(devices[0]!, 'InfraDevice', {role: 'core'}));
    expect(await mergeBranch(deps, ADMIN, {branch})).toMatchObject({is: 'done', changes: DEVICES - 1});
    expect(await world.main.value(devices[0]!, 'role')).toBe('core');
    expect(await world.main.value(devices[1]!, 'role')).toBe('spine');
  });

  test('is in conflict with what is written to the same objects meanwhile', async () => {
    const deps = meanwhile(() => world.main.set(devices[7]!, 'InfraDevice', {role: 'core'}));
    const outcome = await mergeBranch(deps, ADMIN, {branch});
    expect(outcome).toMatchObject({is: 'conflicted', conflicts: [{subject: {node: devices[7]!}}]});
    expect(await world.main.value(devices[1]!, 'role')).toBe('leaf');
  });

  test('takes what else is written to the same objects meanwhile along', async () => {
    const deps = meanwhile(() => world.main.set(devices[7]!, 'InfraDevice', {name: 'renamed'}));
    await world.main.set(devices[8]!, 'InfraDevice', {name: 'renamed before'});
    expect(await mergeBranch(deps, ADMIN, {branch})).toMatchObject({is: 'done', changes: DEVICES - 1});
    expect(await world.main.value(devices[7]!, 'name')).toBe('renamed');
    expect(await world.main.value(devices[8]!, 'name')).toBe('renamed before');
    expect(await world.main.value(devices[7]!, 'role')).toBe('spine');
    expect(await world.main.value(devices[8]!, 'role')).toBe('spine');
  });

  test('is in conflict once, with what was in conflict before and is changed again meanwhile', async () => {
    await world.main.set(devices[7]!, 'InfraDevice', {role: 'edge'});
    const deps = meanwhile(() => world.main.set(devices[7]!, 'InfraDevice', {role: 'core'}));
    const outcome = await mergeBranch(deps, ADMIN, {branch});
    expect(outcome).toMatchObject({is: 'conflicted', conflicts: [{origin: {value: 'core'}}]});
  });

  test('meets an object that is deleted meanwhile', async () => {
    const deps = meanwhile(() => world.main.remove(devices[7]!, 'InfraDevice'));
    expect(await mergeBranch(deps, ADMIN, {branch})).toMatchObject({is: 'conflicted'});
  });

  test('has what is written to the branch meanwhile in it', async () => {
    const deps = meanwhile(() => world.on(branch).set(devices[0]!, 'InfraDevice', {role: 'late'}));
    expect(await mergeBranch(deps, ADMIN, {branch})).toMatchObject({is: 'done', changes: DEVICES});
    expect(await world.main.value(devices[0]!, 'role')).toBe('late');
  });

  test('sees a unique value that is taken meanwhile', async () => {
    const made = await world.on(branch).create('InfraDevice', {name: 'edge'});
    const deps = meanwhile(() => world.main.create('InfraDevice', {name: 'edge'}));
    const outcome = await mergeBranch(deps, ADMIN, {branch});
    expect(outcome).toMatchObject({is: 'conflicted', conflicts: [{subject: {is: 'unique', node: made}}]});
  });

  test('follows a schema that is changed meanwhile', async () => {
    const attributes = [...SCHEMA.nodes[0]!.attributes, {name: 'site', kind: 'Text', default_value: 'here'}];
    const deps = meanwhile(() => world.load(MAIN, {...SCHEMA, nodes: [{...SCHEMA.nodes[0]!, attributes}]}));
    expect(await mergeBranch(deps, ADMIN, {branch})).toMatchObject({is: 'done'});
    expect(await world.main.value(devices[1]!, 'role')).toBe('spine');
    expect(await world.main.value(devices[1]!, 'site')).toBe('here');
  });

  test('goes on from another merge that was made meanwhile', async () => {
    const other = await world.branch('other');
    await world.on(other).set(devices[0]!, 'InfraDevice', {role: 'other'});
    const deps = meanwhile(() => world.merge(other));
    expect(await mergeBranch(deps, ADMIN, {branch})).toMatchObject({is: 'done'});
    expect(await world.main.value(devices[0]!, 'role')).toBe('other');
    expect(await world.main.value(devices[1]!, 'role')).toBe('spine');
  });

  test('is a rebase as well, onto the origin as it was weighed; what came meanwhile is for the next one', async () => {
    await world.main.set(devices[0]!, 'InfraDevice', {role: 'before'});
    const deps = meanwhile(() => world.main.set(devices[7]!, 'InfraDevice', {name: 'renamed'}));
    expect(await rebaseBranch(deps, ADMIN, {branch})).toMatchObject({is: 'done'});
    expect(await world.on(branch).value(devices[7]!, 'name')).toBe('device 7');
    expect(await world.on(branch).value(devices[7]!, 'role')).toBe('spine');
    expect((await world.store.distance(branch)).behind).toBe(1);
    expect(await rebaseBranch(world.deps, ADMIN, {branch})).toMatchObject({is: 'done'});
    expect(await world.on(branch).value(devices[7]!, 'name')).toBe('renamed');
    expect(await world.on(branch).value(devices[7]!, 'role')).toBe('spine');
    expect(await world.on(branch).value(devices[0]!, 'role')).toBe('before');
  });
});
