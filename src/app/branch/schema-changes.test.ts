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
    expect((await world.on(branch.name).node(id))?.attribute('serial')).toBe(undefined);
    expect(await world.merge(branch.name)).toMatchObject({is: 'done'});
    expect((await world.main.node(id))?.attribute('serial')).toBe(undefined);
    expect(await world.main.value(id, 'name')).toBe('a');
  });
});
