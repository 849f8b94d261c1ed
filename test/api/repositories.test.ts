import {existsSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {makeGitRepository, temporaryFolder} from '../../src/ports/git-fixtures.ts';
import {openRepositoryWorld, type RepositoryWorld} from './repository-world.ts';

let world: RepositoryWorld;

beforeAll(async () => {
  world = await openRepositoryWorld({SERVICE_STORAGE_MAX_FILE_SIZE: '100000'});
});
afterAll(() => world.close());

const QUERY = 'query Tags { BuiltinTag { edges { node { name { value } } } } }';
const config = (...queries: string[]) =>
  `queries:\n${queries.map(name => `  - {name: ${name}, file_path: ${name}.gql}\n`).join('')}`;

describe('files', () => {
  const repository = makeGitRepository();
  repository.link('outside', '/etc/passwd');
  const first = repository.commit({
    '.service.yml': 'queries: []\n',
    'deep/ünder/a b.txt': 'one\n',
    'large.bin': 'x'.repeat(100_001),
  });
  let id: string;
  const file = (path: string) => world.text(`/api/file/files/${path}`);

  beforeAll(async () => {
    id = await world.addRepository('files', repository.folder);
  });

  test('are served as text, by name or id, at the commit of the branch or any other', async () => {
    const path = 'deep/%C3%BCnder/a%20b.txt';
    expect(await file(path)).toEqual({status: 200, type: 'text/plain; charset=utf-8', text: 'one\n'});
    const second = repository.commit({'deep/ünder/a b.txt': 'two\n', 'new.txt': 'new'});
    expect((await file(path)).text).toBe('one\n');
    // A commit that is not here yet is fetched.
    expect((await file(`${path}?commit=${second}`)).text).toBe('two\n');
    await world.process(id);
    expect((await world.text(`/api/file/${id}/${path}`)).text).toBe('two\n');
    expect((await file(`${path}?commit=${first}`)).text).toBe('one\n');
    expect((await file(`${path}?commit=${first.slice(0, 10)}`)).text).toBe('one\n');
    expect((await file(`${path}?branch=main`)).text).toBe('two\n');
  });

  test('that are not there, lead outside or are too large are refused with their status', async () => {
    const statuses: [string, number][] = [
      ['nothing.txt', 404],
      ['deep', 404],
      ['..%2f..%2fetc/passwd', 403],
      ['deep/..%2f..%2f..%2fetc/passwd', 403],
      ['outside', 403],
      ['large.bin', 413],
      ['new.txt?commit=0000000000000000000000000000000000000000', 400],
      ['new.txt?commit=main', 400],
      ['new.txt?commit=--help', 400],
      ['new.txt?branch=nowhere', 400],
    ];
    for (const [path, status] of statuses) expect([path, (await file(path)).status]).toEqual([path, status]);
    expect((await world.text('/api/file/nobody/a.txt')).status).toBe(404);
    expect((await file('nothing.txt')).text).toContain(`Unable to find the file at '${id}::`);
  });

  test('that changed on a branch are told by the diff', async () => {
    const from = new Date().toISOString();
    const before = (await world.repository('files')).commit;
    const commit = repository.commit({'new.txt': null, 'deep/ünder/a b.txt': 'three\n', 'more/x.txt': 'x'});
    await world.process(id);
    const diff = await world.text(`/api/diff/files?time_from=${from}`);
    expect(JSON.parse(diff.text)).toEqual({
      main: {
        [id]: {
          id,
          display_name: 'files',
          branch: 'main',
          commit_from: before,
          commit_to: commit,
          files: [
            {branch: 'main', location: 'deep/ünder/a b.txt', action: 'modified', diff_action: 'updated'},
            {branch: 'main', location: 'more/x.txt', action: 'added', diff_action: 'added'},
            {branch: 'main', location: 'new.txt', action: 'deleted', diff_action: 'removed'},
          ],
        },
      },
    });
    expect(JSON.parse((await world.text('/api/diff/files?time_from=now')).text)).toEqual({});
  });
});

describe('branches', () => {
  const repository = makeGitRepository();
  repository.commit({'.infrahub.yml': config('tags'), 'tags.gql': QUERY});
  let id: string;

  beforeAll(async () => {
    id = await world.addRepository('branches', repository.folder);
  });

  test('a new branch makes the Git branch of its name, unless it goes without Git', async () => {
    await world.data('mutation { BranchCreate(data: {name: "feature/one"}) { ok } }');
    await world.data('mutation { BranchCreate(data: {name: "alone", sync_with_git: false}) { ok } }');
    await world.settled();
    const names = repository.git('branch', '--format=%(refname:short)').split('\n');
    expect(names.sort()).toEqual(['feature/one', 'main']);
    expect(repository.git('rev-parse', 'feature/one')).toBe(repository.git('rev-parse', 'main'));
  });

  test('a branch follows the Git branch of its name, and a broken one stops no other', async () => {
    repository.git('checkout', '--quiet', 'feature/one');
    const feature = repository.commit({'.infrahub.yml': config('tags', 'more'), 'more.gql': QUERY});
    repository.git('checkout', '--quiet', 'main');
    const main = repository.commit({'.infrahub.yml': 'queries: [\n'});
    await world.process(id);
    expect(await world.repository('branches')).toMatchObject({
      commit: main,
      operational_status: 'online',
      sync_status: 'error-import',
    });
    const {status_message: said} = await world.repository('branches');
    expect(said).toMatch(/^\.infrahub\.yml: .* at line 2/);
    expect(await world.repository('branches', 'feature/one')).toMatchObject({
      commit: feature,
      sync_status: 'in-sync',
      status_message: null,
    });
    expect(await world.names('CoreGraphQLQuery', 'feature/one')).toEqual(['more', 'tags']);
    expect(await world.names('CoreGraphQLQuery')).toEqual(['tags']);
    const diff = JSON.parse((await world.text('/api/diff/files?branch=feature/one')).text);
    expect(diff['feature/one'][id].files.map((each: {location: string}) => each.location)).toEqual([
      '.infrahub.yml',
      'more.gql',
    ]);
  });

  test('what is no longer brought goes, after a force-push too', async () => {
    repository.commit({'.infrahub.yml': config('tags', 'other'), 'other.gql': QUERY});
    await world.process(id);
    expect(await world.names('CoreGraphQLQuery')).toEqual(['other', 'tags']);
    repository.git('reset', '--quiet', '--hard', 'HEAD~2');
    const commit = repository.commit({'.infrahub.yml': config('other'), 'other.gql': QUERY});
    await world.process(id);
    expect(await world.repository('branches')).toMatchObject({commit, sync_status: 'in-sync'});
    expect(await world.names('CoreGraphQLQuery')).toEqual(['other']);
  });
});

test('a repository that is added on a branch stays there until the branch is merged', async () => {
  const repository = makeGitRepository();
  const commit = repository.commit({'.service.yml': config('tried'), 'tried.gql': QUERY});
  await world.data('mutation { BranchCreate(data: {name: "trial", sync_with_git: true}) { ok } }');
  await world.addRepository('trial', repository.folder, '', 'trial');
  expect(await world.repository('trial', 'trial')).toMatchObject({
    commit,
    internal_status: 'staging',
    sync_status: 'in-sync',
  });
  expect(await world.repository('trial')).toMatchObject({commit: null, internal_status: 'inactive'});
  expect(await world.names('CoreGraphQLQuery')).not.toContain('tried');
  await world.data('mutation { BranchMerge(data: {name: "trial"}) { ok } }');
  await world.settled();
  expect(await world.repository('trial')).toMatchObject({
    commit,
    internal_status: 'active',
    sync_status: 'in-sync',
    status_message: null,
  });
  expect(await world.names('CoreGraphQLQuery')).toContain('tried');
});

test('a service looks at repositories by itself, and notices when one is gone and back', async () => {
  const looking = await openRepositoryWorld({SERVICE_GIT_SYNC_INTERVAL: '1'});
  const until = async (isThere: (state: Record<string, unknown>) => boolean) => {
    while (!isThere(await looking.repository('watched')))
      await new Promise(resolve => setTimeout(resolve, 50));
  };
  try {
    const repository = makeGitRepository();
    repository.commit({'.service.yml': 'queries: []\n'});
    await looking.addRepository('watched', repository.folder);
    const second = repository.commit({'a.txt': 'a'});
    await until(({commit}) => commit === second);
    renameSync(repository.folder, `${repository.folder}-away`);
    await until(state => state.operational_status === 'error' && state.status_message !== null);
    renameSync(`${repository.folder}-away`, repository.folder);
    await until(state => state.operational_status === 'online' && state.status_message === null);
  } finally {
    await looking.close();
  }
});

describe('troubles', () => {
  const state = async (name: string) => {
    const {operational_status, sync_status, status_message} = await world.repository(name);
    return {operational_status, sync_status, status_message};
  };

  test('a place without a repository, an empty one, and one without the branch each say so', async () => {
    await world.addRepository('nowhere', temporaryFolder('nothing'));
    expect(await state('nowhere')).toMatchObject({
      operational_status: 'error',
      status_message: expect.stringContaining('is not a Git repository'),
    });
    await world.addRepository('unreachable', 'http://127.0.0.1:9/x.git');
    expect(await state('unreachable')).toMatchObject({
      operational_status: 'error-connection',
      status_message: expect.stringContaining('cannot be reached'),
    });
    await world.addRepository('empty', makeGitRepository().folder);
    expect(await state('empty')).toMatchObject({
      operational_status: 'online',
      sync_status: 'error-import',
      status_message: expect.stringContaining('no branch, tag or commit "main"'),
    });
    const trunk = makeGitRepository('trunk');
    const commit = trunk.commit({'.service.yml': 'queries: []\n'});
    const id = await world.addRepository('trunk', trunk.folder);
    expect((await state('trunk')).status_message).toContain('change its default_branch');
    await world.data(
      `mutation { CoreRepositoryUpdate(data: {id: "${id}", default_branch: {value: "trunk"}}) { ok } }`,
    );
    await world.settled();
    expect(await world.repository('trunk')).toMatchObject({commit, sync_status: 'in-sync'});
    const none = makeGitRepository();
    none.commit({'a.txt': 'a'});
    await world.addRepository('none', none.folder);
    expect((await state('none')).status_message).toBe(
      'There is no .trellis.yml, .service.yml, .infrahub.yml in the repository',
    );
  });

  test('a repository that moves is fetched from its new place', async () => {
    const old = makeGitRepository();
    old.commit({'.service.yml': 'queries: []\n'});
    const id = await world.addRepository('moving', old.folder);
    const place = makeGitRepository();
    const commit = place.commit({'.service.yml': 'queries: []\n', 'x.txt': 'x'});
    await world.data(
      `mutation { CoreRepositoryUpdate(data: {id: "${id}", location: {value: "${place.folder}"}}) { ok } }`,
    );
    await world.settled();
    expect(await world.repository('moving')).toMatchObject({commit, sync_status: 'in-sync'});
  });

  test('each part that is wrong is named, and the others are brought in', async () => {
    const repository = makeGitRepository();
    repository.commit({
      '.trellis.yml': `
schemas: [schema.yml]
queries:
  - {name: good_one, file_path: good.gql}
  - {name: bad_one, file_path: bad.gql}
  - {name: lost_one, file_path: ../../etc/passwd}
  - {name: gone_one, file_path: gone.gql}
jinja2_transforms:
  - {name: t1, query: good_one, template_path: t.j2}
  - {name: t2, query: nobody, template_path: t.j2}
python_transforms:
  - {name: p1, file_path: p.py, class_name: Mine}
  - {name: p2, file_path: broken.py, class_name: Mine}
artifact_definitions:
  - {name: d1, parameters: {}, content_type: text/plain, targets: nobody, transformation: t1}
objects: [objects]
check_definitions: [{name: c1, file_path: c.py}]
`,
      'schema.yml':
        'version: "1.0"\nnodes:\n  - {name: Broken, namespace: Infra, attributes: [{name: x, kind: Nothing}]}\n',
      'good.gql': QUERY,
      'bad.gql': '{ Nothing { count } }',
      't.j2': 'x',
      'p.py': 'class Mine:\n    query = "good_one"\n    def transform(self, data): return 1\n',
      'broken.py': 'import nothing_at_all\n',
      'objects/a.yml': 'kind: Object\nspec: {kind: BuiltinTag, data: [{name: from-git}]}\n',
      'objects/b.yml': 'kind: Object\nspec: {kind: BuiltinTag, data: [{nam: wrong}]}\n',
      'objects/c.yml': 'kind: Object\nspec: [\n',
    });
    const id = await world.addRepository('partly', repository.folder);
    const said: string = (await state('partly')).status_message;
    const parts = said.split('\n').filter(line => /^[a-z]/.test(line));
    expect(parts.map(line => line.split(':')[0])).toEqual([
      'schemas',
      'queries "bad_one"',
      'queries "lost_one"',
      'queries "gone_one"',
      'jinja2_transforms "t2"',
      'python_transforms "p2"',
      'objects objects/b.yml',
      'objects objects/c.yml',
      'artifact_definitions "d1"',
    ]);
    expect(said).toContain("No module named 'nothing_at_all'");
    expect(await world.names('CoreTransformation')).toEqual(['p1', 't1']);
    expect(await world.names('BuiltinTag')).toContain('from-git');
    const {ServiceTask} = await world.data(
      `{ ServiceTask(workflow: ["git-repository-import"], related_node__ids: ["${id}"]) { edges { node { logs { edges { node { message } } } } } } }`,
    );
    expect(JSON.stringify(ServiceTask)).toContain(
      'check_definitions c1: is known and not run by this version',
    );
    repository.commit({
      'objects/a.yml': 'kind: Object\nspec: {kind: BuiltinTag, data: []}\n',
      'objects/b.yml': null,
      'objects/c.yml': null,
    });
    await world.process(id);
    expect(await world.names('BuiltinTag')).not.toContain('from-git');
  });

  test('a record of somebody else is left alone', async () => {
    await world.data(
      `mutation { CoreGraphQLQueryCreate(data: {name: {value: "mine"}, query: {value: "${QUERY}"}}) { ok } }`,
    );
    const repository = makeGitRepository();
    repository.commit({'.service.yml': config('mine'), 'mine.gql': 'query { BuiltinTag { count } }'});
    await world.addRepository('taker', repository.folder);
    expect((await state('taker')).status_message).toContain('is not of this repository');
    const {CoreGraphQLQuery} = await world.data(
      '{ CoreGraphQLQuery(name__value: "mine") { edges { node { query { value } } } } }',
    );
    expect(CoreGraphQLQuery.edges[0].node.query.value).toBe(QUERY);
  });

  test('locations that are none are refused when they are written', async () => {
    for (const location of [
      'ext::sh -c id',
      '--upload-pack=id',
      'relative/path',
      'https://a:b@example.com/x',
    ]) {
      const {errors} = await world.graphql(
        `mutation { CoreRepositoryCreate(data: {name: {value: "bad"}, location: {value: "${location}"}}) { ok } }`,
      );
      expect([location, errors?.[0].extensions.code]).toEqual([location, 'VALIDATION_ERROR']);
    }
  });
});

test('a read-only repository has what its reference means, until another is set', async () => {
  const repository = makeGitRepository();
  const first = repository.commit({'.service.yml': 'queries: []\n'});
  repository.git('tag', 'v1');
  const second = repository.commit({'a.txt': 'a'});
  const made = await world.data(
    `mutation { CoreReadOnlyRepositoryCreate(data: {name: {value: "reader"}, location: {value: "${repository.folder}"}, ref: {value: "v1"}}) { object { id } } }`,
  );
  await world.settled();
  expect(await world.repository('reader')).toMatchObject({commit: first, sync_status: 'in-sync'});
  const {id} = made.CoreReadOnlyRepositoryCreate.object;
  await world.data(
    `mutation { CoreReadOnlyRepositoryUpdate(data: {id: "${id}", ref: {value: "main"}}) { ok } }`,
  );
  await world.settled();
  expect(await world.repository('reader')).toMatchObject({commit: second});
});

test('a connection can be tried, and a repository that is deleted leaves nothing', async () => {
  const repository = makeGitRepository();
  repository.commit({'.service.yml': 'queries: []\n'});
  const id = await world.addRepository('short', repository.folder);
  const {InfrahubRepositoryConnectivity: works} = await world.data(
    `mutation { InfrahubRepositoryConnectivity(data: {id: "${id}"}) { ok message } }`,
  );
  expect(works).toEqual({ok: true, message: 'Successfully accessed repository'});
  const {ServiceRepositoryConnectivity: fails} = await world.data(
    'mutation { ServiceRepositoryConnectivity(data: {id: "nowhere"}) { ok message } }',
  );
  expect(fails.ok).toBe(false);
  const mirror = join(world.folder, 'repositories', id);
  expect(existsSync(mirror)).toBe(true);
  await world.data(`mutation { CoreRepositoryDelete(data: {id: "${id}"}) { ok } }`);
  await world.settled();
  expect(existsSync(mirror)).toBe(false);
});
