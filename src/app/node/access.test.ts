import {describe, expect, test} from 'vitest';
import type {GlobalAction, Need, ObjectAction} from '../../domain/access/access.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {Caller} from '../caller.ts';
import type {WriteScope} from '../write.ts';
import {createNode} from './create-node.ts';
import {deleteNode} from './delete-node.ts';
import {NETWORK} from './network-fixtures.ts';
import {add, addDevice, addSite} from './network-objects-fixtures.ts';
import {addPeers, removePeers} from './relate.ts';
import {updateNode} from './update-node.ts';
import {upsertNode} from './upsert-node.ts';
import {except, input, openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);
const site = await addSite(world, 'atl1');
const device = await addDevice(world, 'r1', site.id);
await add(world, 'InfraInterface', {name: 'eth0'}, {device: {id: device.id}});

const without = (denies: (need: Need) => boolean): Caller => ({account: null, access: except(denies)});
const withoutObject = (action: ObjectAction, kind: string): Caller =>
  without(need => need.is === 'object' && need.action === action && need.kind === kind);
const withoutGlobal = (action: GlobalAction): Caller =>
  without(need => need.is === 'global' && need.action === action);

async function denied(caller: Caller, body: (scope: WriteScope) => Promise<unknown>): Promise<string> {
  const error = await refusal(world.write(body, caller));
  expect(error.code).toBe('PERMISSION_DENIED');
  return error.message;
}

describe('each verb needs the right to what it does', () => {
  test('create', async () => {
    const message = await denied(withoutObject('create', 'InfraSite'), scope =>
      createNode(scope, 'InfraSite', input({name: 'x'})),
    );
    expect(message).toBe('You do not have the following permission: object:Infra:Site:create:allow_default');
  });

  test('create, for every kind nested in the input', async () => {
    await denied(withoutObject('create', 'InfraSite'), scope =>
      createNode(scope, 'InfraDevice', input({name: 'x', vendor: 'v'}, {site: {data: input({name: 'y'})}})),
    );
  });

  test('update, also through a generic and for peers added or removed', async () => {
    const caller = withoutObject('update', 'InfraSite');
    const given = input({city: 'x'}, {}, {id: site.id});
    await denied(caller, scope => updateNode(scope, 'InfraSite', given));
    await denied(caller, scope => updateNode(scope, 'InfraLocation', given));
    const request = {id: site.id, relationship: 'devices', peers: []};
    await denied(caller, scope => addPeers(scope, request));
    await denied(caller, scope => removePeers(scope, request));
  });

  test('upsert needs both rights, whatever it would do', async () => {
    for (const action of ['create', 'update'] as const) {
      await denied(withoutObject(action, 'InfraSite'), scope =>
        upsertNode(scope, 'InfraSite', input({name: 'atl1'})),
      );
    }
  });

  test('delete, for every kind that goes along', async () => {
    for (const kind of ['InfraDevice', 'InfraInterface']) {
      await denied(withoutObject('delete', kind), scope => deleteNode(scope, 'InfraDevice', {id: device.id}));
    }
  });

  test('the right is asked for the branch of the write', async () => {
    const asked: Need[] = [];
    const caller = without(need => {
      asked.push(need);
      return false;
    });
    await world.write(
      scope => createNode({...scope, onDefaultBranch: false}, 'InfraSite', input({name: 'elsewhere'})),
      caller,
    );
    expect(asked).toContainEqual({
      is: 'object',
      action: 'create',
      kind: 'InfraSite',
      onDefaultBranch: false,
    });
    expect(world.store.defaultBranch).toBe('main' as BranchName);
  });
});

describe('kinds that decide over others need more', () => {
  const group = {name: 'g'};

  test.each([
    ['manage_accounts', 'CoreAccount', {name: 'a', password: '$test$hash'}],
    ['manage_accounts', 'CoreAccountGroup', group],
    ['manage_accounts', 'CoreAccountRole', group],
    ['manage_permissions', 'CoreGlobalPermission', {action: 'super_admin'}],
    ['manage_permissions', 'CoreObjectPermission', {namespace: '*', name: '*'}],
    ['manage_repositories', 'CoreRepository', {name: 'r', location: 'https://example.org/r.git'}],
  ] as const)('%s for %s', async (action, kind, values) => {
    await denied(withoutGlobal(action), scope => createNode(scope, kind, input(values)));
    await world.write(scope => createNode(scope, kind, input(values)));
  });

  test('others do not', async () => {
    const caller = without(need => need.is === 'global' && need.action.startsWith('manage_'));
    await world.write(scope => createNode(scope, 'CoreStandardGroup', input({name: 'plain'})), caller);
  });
});
