import {describe, expect, test} from 'vitest';
import type {WriteScope} from '../write.ts';
import {createNode} from './create-node.ts';
import {deleteNode} from './delete-node.ts';
import {NETWORK} from './network-fixtures.ts';
import {addSite} from './network-objects-fixtures.ts';
import {updateNode} from './update-node.ts';
import {input, openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);

let devices = 0;

const deviceAt = (scope: WriteScope, site: string) => {
  devices += 1;
  return createNode(scope, 'InfraDevice', input({name: `d${devices}`, vendor: 'acme'}, {site: {id: site}}));
};

describe('a peer that several verbs of one write name', () => {
  test('is looked for once', async () => {
    const site = await addSite(world, 'once');
    const made = await world.write(async scope => {
      let queries = 0;
      const draft = new Proxy(scope.draft, {
        get(target, name) {
          if (name === 'query') queries += 1;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      const counting = {...scope, draft};
      const first = await deviceAt(counting, 'once');
      const before = queries;
      const second = await deviceAt(counting, 'once');
      expect([before, queries]).toEqual([1, 1]);
      return [first, second];
    });
    for (const {id} of made) expect(await world.peers(id, 'site')).toEqual([site.id]);
  });

  test('is another once the name has moved to it', async () => {
    const old = await addSite(world, 'moving');
    const [before, fresh, after] = await world.write(async scope => {
      const first = await deviceAt(scope, 'moving');
      await updateNode(scope, 'InfraSite', input({name: 'moved'}, {}, {id: old.id}));
      const site = await createNode(scope, 'InfraSite', input({name: 'moving'}));
      return [first, site, await deviceAt(scope, 'moving')] as const;
    });
    expect(await world.peers(before.id, 'site')).toEqual([old.id]);
    expect(await world.peers(after.id, 'site')).toEqual([fresh.id]);
  });

  test('is not found any more once it is deleted', async () => {
    const gone = await addSite(world, 'gone');
    const error = await refusal(
      world.write(async scope => {
        const device = await deviceAt(scope, 'gone');
        await deleteNode(scope, 'InfraDevice', {id: device.id});
        await deleteNode(scope, 'InfraSite', {id: gone.id});
        await deviceAt(scope, 'gone');
      }),
    );
    expect(error.code).toBe('NODE_NOT_FOUND');
  });

  test('whose name is made of names of others is looked for each time', async () => {
    const site = await addSite(world, 'deep');
    const error = await refusal(
      world.write(async scope => {
        const device = await deviceAt(scope, site.id);
        const name = String(device.value('name'));
        const port = (text: string, lag: object = {}) =>
          createNode(scope, 'InfraInterface', input({name: text}, {device: {id: device.id}, ...lag}));
        await port('lag0');
        await port('eth0', {lag: {hfid: [name, 'lag0']}});
        await updateNode(scope, 'InfraDevice', input({name: `${name}-renamed`}, {}, {id: device.id}));
        await port('eth1', {lag: {hfid: [name, 'lag0']}});
      }),
    );
    expect(error.code).toBe('NODE_NOT_FOUND');
  });
});
