import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {chosen, freshId, SERVICE} from '../../ports/graph-store-fixtures.ts';
import {type BranchWorld, MAIN, openBranchWorld} from '../branch/branch-fixtures.ts';
import {AtHead} from './at-head.ts';

const SCHEMA = {
  version: '1.0',
  nodes: [
    {namespace: 'Infra', name: 'Device', attributes: [{name: 'name', kind: 'Text'}]},
    {namespace: 'Infra', name: 'Robot', inherit_from: ['CoreGenericAccount'], attributes: []},
  ],
};

let world: BranchWorld;
let head: AtHead;
let reads: number;

beforeEach(async () => {
  world = await openBranchWorld(SCHEMA);
  head = new AtHead(world.store);
  reads = 0;
});
afterEach(() => world.close());

const ask = async () => {
  await head.remember('question', async () => {
    reads += 1;
  });
  return reads;
};

const create = (kind: string, branch = MAIN) =>
  world.store.write(branch, SERVICE, draft =>
    draft.create({id: freshId(), kind, attributes: chosen({name: 'new'})}),
  );

describe('what was read at the head', () => {
  test('is remembered while nothing is committed', async () => {
    expect([await ask(), await ask()]).toEqual([1, 1]);
  });

  test.each(['CoreAccountRole', 'CoreAccountGroup', 'CoreAccount', 'InfraRobot'])(
    'is read again after a commit that touches a %s, whatever is committed beside',
    async kind => {
      await ask();
      await create('InfraDevice');
      await create(kind);
      await create('InfraDevice');
      expect(await ask()).toBe(2);
    },
  );

  test('is read again after an account is touched on another branch', async () => {
    const branch = await world.branch('feature');
    await ask();
    await create('CoreAccount', branch);
    expect(await ask()).toBe(2);
  });

  test('is read again after a merge and after a schema is loaded', async () => {
    const branch = await world.branch('feature');
    await create('InfraDevice', branch);
    await ask();
    await world.merge(branch);
    expect(await ask()).toBe(2);
    await world.load(MAIN, {...SCHEMA, nodes: [{namespace: 'Infra', name: 'Site'}]});
    expect(await ask()).toBe(3);
  });
});
