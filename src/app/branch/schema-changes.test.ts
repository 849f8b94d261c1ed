import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {must} from '../../base/assert.ts';
import {ADMIN, type BranchWorld, MAIN, openBranchWorld} from './branch-fixtures.ts';
import {conflictName} from './conflict-name.ts';
import {diffBranch} from './diff-branch.ts';
import {SMALL_NETWORK} from './random-work-fixtures.ts';
import {resolveConflict} from './resolve-conflict.ts';

let world: BranchWorld;

beforeEach(async () => {
  world = await openBranchWorld(SMALL_NETWORK);
});

afterEach(async () => {
  expect(await world.problems()).toEqual([]);
  await world.close();
});

const device = (rest: object) => ({
  version: '1.0',
  nodes: [{namespace: 'Infra', name: 'Device', ...rest}],
});
const serial = device({attributes: [{name: 'serial', kind: 'Text', optional: true}]});

describe('changes of a schema', () => {
  test('are nodes of the diff, each kind with what changed in it', async () => {
    const branch = await world.branch('work');
    await world.load(branch, serial);
    expect((await world.store.branch(branch)).hasSchemaChanges).toBe(true);
    const {nodes} = await diffBranch(world.deps, ADMIN, {branch});
    expect(nodes).toMatchObject([
      {
        kind: 'SchemaNode',
        label: 'InfraDevice',
        status: 'updated',
        attributes: [
          {name: 'attributes.serial', status: 'added', path: 'schema/InfraDevice/attributes/serial'},
        ],
      },
    ]);
    expect(await world.rebase(branch)).toMatchObject({is: 'done'});
    expect((await world.store.branch(branch)).hasSchemaChanges).toBe(true);
    expect(await world.merge(branch)).toMatchObject({is: 'done'});
    expect((await world.store.branch(branch)).hasSchemaChanges).toBe(false);
    expect((await diffBranch(world.deps, ADMIN, {branch})).nodes).toEqual([]);
  });

  test('that clash are a conflict which can be resolved to either side', async () => {
    for (const side of ['branch', 'origin'] as const) {
      const name = await world.branch(`work-${side}`);
      await world.load(name, device({label: `of ${name}`}));
      await world.load(MAIN, device({label: `of main ${side}`}));
      const outcome = await world.merge(name);
      expect(outcome).toMatchObject({
        is: 'conflicted',
        conflicts: [{subject: {is: 'schema', path: 'InfraDevice.label'}}],
      });
      const diff = await diffBranch(world.deps, ADMIN, {branch: name});
      const shown = diff.nodes[0]?.attributes.find(attribute => attribute.name === 'label');
      const conflict = conflictName(diff.branch, must(shown?.conflict, 'the conflict'));
      await resolveConflict(world.deps, {conflict, side});
      expect(await world.merge(name)).toMatchObject({is: 'done'});
      const schema = world.deps.schemas.of(await world.store.snapshot({branch: MAIN}));
      expect(schema.nodes.get('InfraDevice')?.label).toBe(
        side === 'branch' ? `of ${name}` : `of main ${side}`,
      );
    }
  });

  test('are taken back by a revert, with the values that came with them', async () => {
    await world.load(MAIN, serial);
    const [commit] = await world.store.commits({branch: MAIN, limit: 1, newestFirst: true});
    const id = await world.main.create('InfraDevice', {name: 'a', serial: 's'});
    const {branch, conflicts} = await world.revert(MAIN, must(commit, 'the load').instant, 'undo');
    expect(conflicts).toEqual([]);
    expect(branch.hasSchemaChanges).toBe(true);
    expect((await world.on(branch.name).node(id))?.attribute('serial')).toBe(undefined);
    expect(await world.merge(branch.name)).toMatchObject({is: 'done'});
    expect((await world.main.node(id))?.attribute('serial')).toBe(undefined);
    expect(await world.main.value(id, 'name')).toBe('a');
  });
});

const asNumber = device({attributes: [{name: 'role', kind: 'Number', optional: true}]});

describe('a merge or rebase of schemas', () => {
  test('converts the data that the origin wrote under its own schema', async () => {
    const branch = await world.branch('work');
    await world.load(branch, asNumber);
    const id = await world.main.create('InfraDevice', {name: 'a', role: '7'});
    const idOnBoth = await world.main.create('InfraDevice', {name: 'b', role: '8'});
    expect(await world.rebase(branch)).toMatchObject({is: 'done'});
    expect(await world.on(branch).value(id, 'role')).toBe(7);
    await world.on(branch).set(idOnBoth, 'InfraDevice', {role: 9});
    expect(await world.main.value(id, 'role')).toBe('7');
    expect(await world.merge(branch)).toMatchObject({is: 'done'});
    expect(await world.main.value(id, 'role')).toBe(7);
    expect(await world.main.value(idOnBoth, 'role')).toBe(9);
  });

  test('converts the data that the branch wrote under its own schema', async () => {
    const merged = await world.branch('merged');
    const rebased = await world.branch('rebased');
    const first = await world.on(merged).create('InfraDevice', {name: 'a', role: '5'});
    const second = await world.on(rebased).create('InfraDevice', {name: 'b', role: '6'});
    await world.load(MAIN, asNumber);
    expect(await world.merge(merged)).toMatchObject({is: 'done'});
    expect(await world.main.value(first, 'role')).toBe(5);
    expect(await world.rebase(rebased)).toMatchObject({is: 'done'});
    expect(await world.on(rebased).value(second, 'role')).toBe(6);
    expect(await world.merge(rebased)).toMatchObject({is: 'done'});
    expect(await world.main.value(second, 'role')).toBe(6);
  });

  test('is refused with the objects that cannot be converted, and changes nothing', async () => {
    const branch = await world.branch('work');
    await world.load(branch, asNumber);
    const id = await world.main.create('InfraDevice', {name: 'a', role: 'spine'});
    for (const verb of ['merge', 'rebase'] as const) {
      await expect(world[verb](branch)).rejects.toThrow(id);
    }
    expect(await world.main.value(id, 'role')).toBe('spine');
    await world.main.set(id, 'InfraDevice', {role: '3'});
    expect(await world.merge(branch)).toMatchObject({is: 'done'});
    expect(await world.main.value(id, 'role')).toBe(3);
  });

  test('brings a change to the attribute that the other side has renamed', async () => {
    const id = await world.main.create('InfraDevice', {name: 'a', role: 'leaf'});
    const branch = await world.branch('work');
    await world.on(branch).set(id, 'InfraDevice', {role: 'spine'});
    const schema = world.deps.schemas.of(await world.store.snapshot({branch: MAIN}));
    const role = must(
      schema.nodes.get('InfraDevice')?.attributes.find(({name}) => name === 'role'),
      'the attribute',
    );
    await world.load(
      MAIN,
      device({
        attributes: [
          {id: role.id, name: 'function', kind: 'Text', optional: true},
          {
            name: 'label',
            kind: 'Text',
            read_only: true,
            optional: true,
            computed_attribute: {kind: 'Jinja2', jinja2_template: '{{ name__value }}/{{ function__value }}'},
          },
        ],
      }),
    );
    expect(await world.merge(branch)).toMatchObject({is: 'done'});
    expect(await world.main.value(id, 'function')).toBe('spine');
    expect(await world.main.value(id, 'label')).toBe('a/spine');
  });

  test('is refused while the branch has objects of a kind that its origin has removed', async () => {
    await world.load(MAIN, {
      version: '1.0',
      nodes: [{namespace: 'Infra', name: 'Cable', attributes: [{name: 'name', kind: 'Text'}]}],
    });
    const other = await world.branch('other');
    const cable = await world.on(other).create('InfraCable', {name: 'c'});
    await world.load(MAIN, {version: '1.0', nodes: [{namespace: 'Infra', name: 'Cable', state: 'absent'}]});
    await expect(world.merge(other)).rejects.toThrow(`InfraCable ${cable}`);
    await world.on(other).remove(cable, 'InfraCable');
    expect(await world.merge(other)).toMatchObject({is: 'up-to-date'});
  });

  test('is refused while the origin has made objects of a kind that the branch has removed', async () => {
    const cable = (rest: object) => ({version: '1.0', nodes: [{namespace: 'Infra', name: 'Cable', ...rest}]});
    await world.load(MAIN, cable({attributes: [{name: 'name', kind: 'Text'}]}));
    const known = await world.main.create('InfraCable', {name: 'known'});
    const branch = await world.branch('work');
    await world.load(branch, cable({state: 'absent'}));
    const made = await world.main.create('InfraCable', {name: 'made'});
    for (const verb of ['merge', 'rebase'] as const) {
      await expect(world[verb](branch)).rejects.toThrow(`InfraCable ${made}. Delete them on the origin`);
    }
    expect(await world.main.value(made, 'name')).toBe('made');
    await world.main.remove(made, 'InfraCable');
    expect(await world.merge(branch)).toMatchObject({is: 'done'});
    expect(await world.main.node(known)).toBe(undefined);
  });

  test('decides once for a kind that the origin has removed and made anew', async () => {
    const cable = (rest: object) => ({version: '1.0', nodes: [{namespace: 'Infra', name: 'Cable', ...rest}]});
    await world.load(MAIN, cable({attributes: [{name: 'name', kind: 'Text', optional: true}]}));
    const branch = await world.branch('work');
    await world.load(branch, cable({attributes: [{name: 'color', kind: 'Text', optional: true}]}));
    await world.load(MAIN, cable({state: 'absent'}));
    await world.load(MAIN, cable({attributes: [{name: 'length', kind: 'Number', optional: true}]}));
    const outcome = await world.merge(branch);
    expect(outcome).toMatchObject({is: 'conflicted', conflicts: [{subject: {path: 'InfraCable'}}]});
    const {branch: made, nodes} = await diffBranch(world.deps, ADMIN, {branch});
    expect(nodes).toHaveLength(1);
    const [conflict] = outcome.is === 'conflicted' ? outcome.conflicts : [];
    await resolveConflict(world.deps, {
      conflict: conflictName(made, must(conflict, 'the conflict')),
      side: 'branch',
    });
    expect(await world.merge(branch)).toMatchObject({is: 'done'});
    const schema = world.deps.schemas.of(await world.store.snapshot({branch: MAIN}));
    expect(schema.nodes.get('InfraCable')?.attributes.map(({name}) => name)).toEqual(['name', 'color']);
  });

  test('leaves to objects what they showed, where both sides gave an attribute another default', async () => {
    const code = (default_value: string) =>
      device({attributes: [{name: 'code', kind: 'Text', default_value, optional: true}]});
    const ids = [
      await world.main.create('InfraDevice', {name: 'a'}),
      await world.main.create('InfraDevice', {name: 'b'}),
    ];
    const branch = await world.branch('work');
    await world.load(branch, code('of the branch'));
    await world.load(MAIN, code('of main'));
    const outcome = await world.merge(branch);
    const made = await world.store.branch(branch);
    for (const conflict of outcome.is === 'conflicted' ? outcome.conflicts : []) {
      await resolveConflict(world.deps, {conflict: conflictName(made, conflict), side: 'branch'});
    }
    expect(await world.merge(branch)).toMatchObject({is: 'done'});
    for (const id of ids) expect(await world.main.value(id, 'code')).toBe('of main');
    const later = await world.main.create('InfraDevice', {name: 'c'});
    expect(await world.main.value(later, 'code')).toBe('of the branch');
  });

  test('is refused when data of either side breaks a rule that the other has made', async () => {
    const first = await world.branch('first');
    await world.load(first, device({uniqueness_constraints: [['role__value']]}));
    const twins = [
      await world.main.create('InfraDevice', {name: 'a', role: 'x'}),
      await world.main.create('InfraDevice', {name: 'b', role: 'x'}),
    ];
    await expect(world.merge(first)).rejects.toThrow(twins[1]);
    const second = await world.branch('second');
    const bare = await world.on(second).create('InfraSite', {name: 's'});
    await world.load(MAIN, {
      version: '1.0',
      nodes: [
        {namespace: 'Infra', name: 'Site', attributes: [{name: 'code', kind: 'Text', optional: false}]},
      ],
    });
    for (const verb of ['merge', 'rebase'] as const) {
      await expect(world[verb](second)).rejects.toThrow(bare);
    }
  });
});
