import {afterAll, expect, test} from 'vitest';
import {Databases} from '../../src/adapters/postgres/postgres-harness.ts';
import {exampleRepository, openRepositoryWorld} from '../api/repository-world.ts';

const databases = new Databases();
const environment = {
  SERVICE_DATABASE_URL: await databases.take(),
  SERVICE_SECURITY_SECRET_KEY: 'a-secret-that-both-servers-know',
  SERVICE_DATABASE_CONNECTIONS: '4',
};
const first = await openRepositoryWorld(environment);
const storage = {...environment, SERVICE_STORAGE_LOCAL_PATH: `${first.folder}/storage`};
const second = await openRepositoryWorld(storage);
afterAll(async () => {
  await second.close();
  await first.close();
  await databases.close();
});

test('a repository that one server added is read, rendered and followed by the other', async () => {
  const example = exampleRepository();
  const id = await first.addRepository('configurations', example.folder);
  expect(await first.repository('configurations')).toMatchObject({
    commit: example.first,
    sync_status: 'in-sync',
    status_message: null,
  });
  expect((await second.text(`/api/file/${id}/.trellis.yml`)).status).toBe(200);
  const rendered = await second.text('/api/transform/jinja2/device_configuration?device=brn1-leaf-1');
  expect(rendered.text).toContain('hostname brn1-leaf-1\n');
  const name = 'brn1-leaf-1 startup-config';
  const before = (await second.artifacts())[name];
  expect(before).toMatchObject({status: 'Ready'});
  await second.data(
    'mutation { InfraDeviceUpdate(data: {hfid: ["brn1-leaf-1"], ntp_servers: {value: ["192.0.2.99"]}}) { ok } }',
  );
  await second.settled();
  const after = (await second.artifacts())[name];
  expect(after.reason).toBe('InfraDevice brn1-leaf-1 changed');
  expect(after.checksum).not.toBe(before.checksum);
});
