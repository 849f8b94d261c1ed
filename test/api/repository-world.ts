import {cpSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {makeGitRepository} from '../../src/ports/git-fixtures.ts';
import {openService} from './open-service.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ENVIRONMENT = join(ROOT, 'node_modules', '.cache', 'trellis-python');

// biome-ignore lint/suspicious/noExplicitAny: an answer has the shape of its document.
type Loose = any;

export type RepositoryWorld = Awaited<ReturnType<typeof openRepositoryWorld>>;

/** A whole service, with short words for repositories; it looks at them only when it is asked to. */
export async function openRepositoryWorld(env: Readonly<Record<string, string>> = {}) {
  const service = await openService({
    SERVICE_GIT_SYNC_INTERVAL: '0',
    SERVICE_PYTHON_ENVIRONMENT: ENVIRONMENT,
    ...env,
  });

  async function graphql(query: string, branch = 'main'): Promise<{data: Loose; errors?: Loose}> {
    const answer = await service.ask(`/graphql/${branch}`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({query}),
    });
    return (await answer.json()) as Loose;
  }

  async function data(query: string, branch?: string): Promise<Loose> {
    const answer = await graphql(query, branch);
    expect(answer.errors).toBe(undefined);
    return answer.data;
  }

  /** Until there is no task that waits or runs. */
  async function settled(): Promise<void> {
    for (;;) {
      const {ServiceTask} = await data(
        '{ ServiceTask(state: [SCHEDULED, PENDING, RUNNING, CANCELLING]) { count } }',
      );
      if (ServiceTask.count === 0) return;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }

  return {
    ...service,
    graphql,
    data,
    settled,
    async addRepository(name: string, location: string, more = '', branch?: string): Promise<string> {
      const made = await data(
        `mutation { CoreRepositoryCreate(data: {name: {value: "${name}"}, location: {value: "${location}"} ${more}}) { object { id } } }`,
        branch,
      );
      await settled();
      return made.CoreRepositoryCreate.object.id;
    },
    async process(id: string): Promise<void> {
      await data(`mutation { ServiceRepositoryProcess(data: {id: "${id}"}) { ok task { id } } }`);
      await settled();
    },
    async repository(name: string, branch?: string): Promise<Loose> {
      const found = await data(
        `{ CoreGenericRepository(name__value: "${name}") { edges { node { id
          operational_status { value } sync_status { value } internal_status { value } status_message { value }
          ... on CoreRepository { commit { value } } ... on CoreReadOnlyRepository { commit { value } } } } } }`,
        branch,
      );
      const {node} = found.CoreGenericRepository.edges[0];
      return Object.fromEntries(
        Object.entries(node as Record<string, Loose>).map(([key, value]) => [
          key,
          key === 'id' ? value : value.value,
        ]),
      );
    },
    async names(kind: string, branch?: string): Promise<string[]> {
      const found = await data(`{ ${kind} { edges { node { name { value } } } } }`, branch);
      return found[kind].edges.map((edge: Loose) => edge.node.name.value).sort();
    },
    async artifacts(branch?: string): Promise<Record<string, Loose>> {
      const found = await data(
        `{ CoreArtifact { edges { node { id name { value } status { value } checksum { value } storage_id { value }
          reason { value } problem { value } object { node { display_label } } } } } }`,
        branch,
      );
      return Object.fromEntries(
        found.CoreArtifact.edges.map(({node}: Loose) => [
          `${node.object.node.display_label} ${node.name.value}`,
          {
            id: node.id,
            status: node.status.value,
            checksum: node.checksum.value,
            storage: node.storage_id.value,
            reason: node.reason.value,
            problem: node.problem.value,
          },
        ]),
      );
    },
    async text(path: string): Promise<{status: number; type: string | null; text: string}> {
      const answer = await service.ask(path);
      return {status: answer.status, type: answer.headers.get('content-type'), text: await answer.text()};
    },
  };
}

/** The example of the docs, as a real repository: templates, objects and the schema of the network. */
export function exampleRepository() {
  const repository = makeGitRepository();
  cpSync(join(ROOT, 'examples', 'configurations'), repository.folder, {recursive: true});
  const schema = (name: string) => readFileSync(join(ROOT, 'examples', 'network', `${name}.yml`), 'utf8');
  const first = repository.commit({
    'schemas/organization.yml': schema('organization'),
    'schemas/devices.yml': schema('devices'),
    'schemas/routing.yml': schema('routing'),
  });
  return {...repository, first};
}
