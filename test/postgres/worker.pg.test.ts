import {afterAll, expect, test, vi} from 'vitest';
import {Databases} from '../../src/adapters/postgres/postgres-harness.ts';
import {openWholeService} from '../api/whole-service.ts';
import {startServer, tempFolder} from '../process/start-process.ts';

const databases = new Databases();
afterAll(() => databases.close());

test('a worker of its own does what the servers leave to it, and tells how it is', async () => {
  const environment = {
    SERVICE_DATABASE_URL: await databases.take(),
    SERVICE_SECURITY_SECRET_KEY: 'a-secret-that-all-processes-know',
  };
  const server = await openWholeService({...environment, SERVICE_TASK_PARALLEL_MAX: '0'});
  const query =
    'mutation { BranchCreate(data: {name: "work"}, wait_until_completion: false) { ok task { id } } }';
  const {body} = await server.post('/graphql/main', {query});
  expect(body.data?.BranchCreate.task.id).toEqual(expect.any(String));
  const worker = startServer({...environment, SERVICE_DATA_DIR: tempFolder()}, ['--worker']);
  const address = (await worker.printed(/ready at (http:\S+)/))[1]!;
  expect((await fetch(`${address}/api/health`)).status).toBe(200);
  expect((await fetch(`${address}/graphql`)).status).toBe(404);
  await vi.waitUntil(
    async () => {
      const asked = await server.post('/graphql/main', {query: '{ Branch(name: "work") { name } }'});
      return asked.body.data?.Branch?.length === 1;
    },
    {timeout: 120_000},
  );
});
