import {join} from 'node:path';
import {expect, test} from 'vitest';
import {exampleRepository} from '../api/repository-world.ts';
import {addressOf, ROOT, type StartedProcess, startServer, tempFolder} from '../process/start-process.ts';

const KEY = 'the-key-of-the-admin';
const WORKFLOWS = ['content-follow', 'git-repository-import', 'artifact-generate'];

// biome-ignore lint/suspicious/noExplicitAny: an answer has the shape of its document.
type Loose = any;

async function ask(address: string, query: string): Promise<Loose> {
  const answer = await fetch(`${address}/graphql/main`, {
    method: 'POST',
    headers: {'content-type': 'application/json', 'x-service-key': KEY},
    body: JSON.stringify({query}),
  });
  return ((await answer.json()) as Loose).data;
}

async function killed(server: StartedProcess): Promise<void> {
  server.child.kill('SIGKILL');
  await server.ended();
}

test('a service killed on the way from a repository to its artifacts ends up as if nothing had happened', {
  timeout: 900_000,
}, async () => {
  const example = exampleRepository();
  const start = {
    SERVICE_DATA_DIR: tempFolder(),
    SERVICE_INITIAL_ADMIN_TOKEN: KEY,
    SERVICE_LOG_LEVEL: 'DEBUG',
    SERVICE_GIT_SYNC_INTERVAL: '0',
    SERVICE_PYTHON_ENVIRONMENT: join(ROOT, 'node_modules', '.cache', 'trellis-python'),
  };
  const first = startServer(start);
  const location = `location: {value: ${JSON.stringify(example.folder)}}`;
  const made = ask(
    await addressOf(first),
    `mutation { CoreRepositoryCreate(data: {name: {value: "configurations"}, ${location}}) { ok } }`,
  );
  expect((await made).CoreRepositoryCreate.ok).toBe(true);
  let server = first;
  for (const workflow of WORKFLOWS) {
    await server.printed(
      new RegExp(
        `"task started"[^\\n]*"workflow":"${workflow}"|"workflow":"${workflow}"[^\\n]*"task started"`,
      ),
    );
    await killed(server);
    server = startServer(start);
  }
  const address = await addressOf(server);
  for (;;) {
    const {ServiceTask} = await ask(
      address,
      '{ ServiceTask(state: [SCHEDULED, PENDING, RUNNING]) { count } }',
    );
    if (ServiceTask.count === 0) break;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  const state = await ask(
    address,
    `{ CoreRepository { edges { node { commit { value } sync_status { value } status_message { value } } } }
       CoreArtifact(status__value: "Ready") { count } all: CoreArtifact { count }
       ServiceTask(state: [FAILED, CRASHED]) { count } }`,
  );
  expect(state).toEqual({
    CoreRepository: {
      edges: [
        {
          node: {
            commit: {value: example.first},
            sync_status: {value: 'in-sync'},
            status_message: {value: null},
          },
        },
      ],
    },
    CoreArtifact: {count: 4},
    all: {count: 4},
    ServiceTask: {count: 0},
  });
  await killed(server);
});
