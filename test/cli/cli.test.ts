import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {openWholeService, type WholeService} from '../api/whole-service.ts';
import {type CliRun, runCli} from './run-cli.ts';

let service: WholeService;
let cwd: string;

beforeAll(async () => {
  service = await openWholeService();
  cwd = mkdtempSync(join(tmpdir(), 'trellis-cli-'));
});

afterAll(() => rmSync(cwd, {recursive: true, force: true}));

/** As an administrator of the running service. */
const run = (...args: readonly string[]): Promise<CliRun> => runWith('', ...args);

const runWith = (input: string, ...args: readonly string[]): Promise<CliRun> =>
  runCli(args, {
    cwd,
    input,
    env: {TRELLIS_ADDRESS: service.address, TRELLIS_TOKEN: 'the-key-of-admin'},
  });

const SCHEMA = `version: "1.0"
nodes:
  - name: Rack
    namespace: Infra
    attributes:
      - {name: name, kind: Text, unique: true}
`;

describe('the command line', () => {
  test('helps with examples, and names its exit codes', async () => {
    const [top, sub] = await Promise.all([run('--help'), run('branch', 'create', '--help')]);
    expect([top.code, sub.code]).toEqual([0, 0]);
    for (const word of [
      'backup',
      'restore',
      'verify',
      'schema',
      'branch',
      'query',
      'user',
      'token',
      'Exit codes',
    ]) {
      expect(top.stdout).toContain(word);
    }
    expect(sub.stdout).toContain('$ trellis branch create fix --from dev --at -1h');
  });

  test('ends with 2 when it is not understood, with 3 when nobody answers', async () => {
    const [unknown, missing, nobody] = await Promise.all([
      run('explode'),
      run('branch', 'create'),
      runCli(['branch', 'list', '--address', 'http://127.0.0.1:9']),
    ]);
    expect([unknown.code, missing.code, nobody.code]).toEqual([2, 2, 3]);
    expect(nobody.stderr).toContain('No service answers at http://127.0.0.1:9');
  });

  test('logs in with a name and a password, and tells when they are wrong', async () => {
    const as = (password: string) =>
      runCli(['user', 'list', '--address', service.address, '--username', 'admin', '--password', password]);
    const [right, wrong] = await Promise.all([as('service'), as('nonsense')]);
    expect(right.stdout).toMatch(/^admin +User +active/m);
    expect([wrong.code, wrong.stderr]).toEqual([1, 'trellis: Incorrect password\n']);
  });

  test('checks a schema, loads it, and tells what it changes', async () => {
    writeFileSync(join(cwd, 'rack.yml'), SCHEMA);
    const checked = await run('schema', 'check', 'rack.yml');
    expect([checked.code, checked.stdout]).toEqual([0, 'The schema is valid\n  added InfraRack\n']);
    const loaded = await run('schema', 'load', 'rack.yml', '--json');
    expect(loaded.json()).toMatchObject({schema_updated: true, diff: {added: {InfraRack: {}}}});
    const again = await run('schema', 'load', 'rack.yml');
    expect(again.stdout).toBe('The schema is up to date\n');
  });

  test('tells what is wrong with a schema, and where', async () => {
    writeFileSync(join(cwd, 'bad.yml'), SCHEMA.replace('kind: Text', 'kind: Poem'));
    writeFileSync(join(cwd, 'broken.yml'), 'a: [');
    const [bad, broken, absent] = await Promise.all([
      run('schema', 'load', 'bad.yml'),
      run('schema', 'load', 'broken.yml'),
      run('schema', 'load', 'absent.yml'),
    ]);
    expect([bad.code, broken.code, absent.code]).toEqual([1, 1, 1]);
    expect(bad.stderr).toContain('schemas.0.nodes.0.attributes.0.kind');
    expect(broken.stderr).toContain('broken.yml is not valid');
    expect(absent.stderr).toContain('absent.yml cannot be read');
  });

  test('runs a query from the command line, a file or standard input, with variables', async () => {
    const create = 'mutation ($name: String) { BuiltinTagCreate(data: {name: {value: $name}}) { ok } }';
    writeFileSync(join(cwd, 'create.graphql'), create);
    const made = await run('query', '--file', 'create.graphql', '--variables', '{"name": "blue"}');
    expect(made.json()).toEqual({data: {BuiltinTagCreate: {ok: true}}});
    const read = await runWith('{ BuiltinTag(name__value: "blue") { count } }', 'query', '-');
    expect(read.json()).toEqual({data: {BuiltinTag: {count: 1}}});
    const wrong = await run('query', '{ Nothing }');
    expect([wrong.code, wrong.json().errors[0].extensions.code]).toEqual([1, 'VALIDATION_ERROR']);
    expect((await run('query', '--variables', 'x', '{ a }')).code).toBe(2);
  });

  test('takes a branch through its life', async () => {
    expect((await run('branch', 'create', 'dev', '--description', 'try')).stdout).toBe(
      'Branch dev was created\n',
    );
    const listed = await run('branch', 'list');
    expect(listed.stdout).toMatch(/^dev +main +0 +\d+ +try$/m);
    const tag = 'mutation { BuiltinTagCreate(data: {name: {value: "green"}}) { ok } }';
    await run('query', '--branch', 'dev', tag);
    const diff = await run('branch', 'diff', 'dev');
    expect(diff.stdout).toContain('added    BuiltinTag green');
    expect((await run('branch', 'rebase', 'dev')).code).toBe(0);
    expect((await run('branch', 'merge', 'dev')).stdout).toBe('Branch dev was merged\n');
    expect((await run('query', '{ BuiltinTag(name__value: "green") { count } }')).json()).toEqual({
      data: {BuiltinTag: {count: 1}},
    });
    expect((await run('branch', 'delete', 'dev')).code).toBe(0);
    const gone = await run('branch', 'merge', 'dev');
    expect([gone.code, gone.stderr]).toEqual([1, 'trellis: Branch: dev not found.\n']);
  });

  test('ends with 4 when a merge has conflicts', async () => {
    const update = (branch: string, text: string) =>
      run(
        'query',
        '--branch',
        branch,
        `mutation { BuiltinTagUpdate(data: {hfid: ["red"], description: {value: "${text}"}}) { ok } }`,
      );
    await run('query', 'mutation { BuiltinTagCreate(data: {name: {value: "red"}}) { ok } }');
    await run('branch', 'create', 'rival');
    await update('rival', 'theirs');
    await update('main', 'ours');
    const merged = await run('branch', 'merge', 'rival');
    expect(merged.code, merged.stderr).toBe(4);
  });

  test('makes accounts, changes them, and lets nobody in that is deactivated', async () => {
    const logIn = (password: string) =>
      service.post('/api/auth/login', {username: 'alice', password}, {}).then(({status}) => status);
    const made = await runWith(
      'first-pass\n',
      'user',
      'create',
      'alice',
      '--group',
      'Trellis Users',
      '--json',
    );
    expect(made.json()).toEqual({id: expect.any(String), name: 'alice'});
    expect(await logIn('first-pass')).toBe(200);
    expect((await runWith('other-pass', 'user', 'set-password', 'alice')).code).toBe(0);
    expect(await logIn('other-pass')).toBe(200);
    expect((await run('user', 'deactivate', 'alice')).code).toBe(0);
    expect(await logIn('other-pass')).toBe(401);
    expect((await run('user', 'activate', 'alice')).code).toBe(0);
    expect(await logIn('other-pass')).toBe(200);
    expect((await run('user', 'deactivate', 'nobody')).stderr).toContain('There is no account named nobody');
  });

  test('makes API keys that work, and ends them', async () => {
    const {id, token} = (await run('token', 'create', 'ci', '--json')).json();
    const withKey = (key: string) => runCli(['token', 'list', '--address', service.address, '--token', key]);
    expect((await withKey(token)).stdout).toContain(id);
    expect((await run('token', 'delete', id)).code).toBe(0);
    expect((await withKey(token)).code).toBe(1);
  });

  test('prints completions for each shell', async () => {
    const scripts = await Promise.all(['bash', 'zsh', 'fish'].map(shell => run('completion', shell)));
    for (const {code, stdout} of scripts) {
      expect(code).toBe(0);
      expect(stdout).toContain('set-password');
    }
    expect((await run('completion', 'tcsh')).code).toBe(2);
  });
});

describe('backup, restore and verify', () => {
  test('save a running service, prove the file, and bring it back elsewhere', async () => {
    const saved = await run('backup', 'all.tar', '--json');
    expect(saved.json()).toMatchObject({files: expect.any(Number), commit: expect.any(Number)});
    expect(statSync(join(cwd, 'all.tar')).mode & 0o777).toBe(0o600);
    expect((await run('verify', '--file', 'all.tar')).stdout).toContain('Everything is sound');
    const restored = await run('restore', 'all.tar', '--data-dir', 'restored');
    expect(restored.code, restored.stderr).toBe(0);
    const verified = await run('verify', '--data-dir', 'restored', '--json');
    expect(verified.json()).toMatchObject({is_sound: true, problems: []});
    const again = await run('restore', 'all.tar', '--data-dir', 'restored');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('has data already')]);
  });

  test('read a data folder directly, also compressed, also while a service works on it', async () => {
    const saved = await run('backup', '--data-dir', service.folder, 'direct.tar.gz');
    expect(saved.code, saved.stderr).toBe(0);
    const restored = await run('restore', 'direct.tar.gz', '--data-dir', 'direct');
    expect(restored.code, restored.stderr).toBe(0);
    expect(readdirSync(join(cwd, 'direct'))).toEqual(expect.arrayContaining(['trellis.db', 'secret.key']));
  });

  test('prove a running service, whose health then tells of it', async () => {
    const integrity = async () =>
      ((await (await fetch(`${service.address}/api/health`)).json()) as {integrity: object}).integrity;
    expect(await integrity()).toEqual({status: 'unknown', verified_at: null, problems: 0});
    expect((await run('verify')).stdout).toContain('Everything is sound');
    expect(await integrity()).toEqual({status: 'sound', verified_at: expect.any(String), problems: 0});
  });

  test('refuse a damaged file with 4, and a folder in use', async () => {
    await run('backup', 'whole.tar');
    const bytes = readFileSync(join(cwd, 'whole.tar'));
    bytes[10_000]! ^= 1;
    writeFileSync(join(cwd, 'damaged.tar'), bytes);
    const [verified, restored, inUse] = await Promise.all([
      run('verify', '--file', 'damaged.tar'),
      run('restore', 'damaged.tar', '--data-dir', 'never'),
      run('restore', 'whole.tar', '--data-dir', service.folder, '--force'),
    ]);
    expect([verified.code, restored.code, inUse.code]).toEqual([4, 4, 1]);
    expect(verified.stderr).toContain('damaged.tar is damaged: trellis.db is damaged');
    expect(inUse.stderr).toContain('is in use by another process');
    expect(readdirSync(join(cwd, 'never'))).not.toContain('trellis.db');
  });

  test('are for administrators alone', async () => {
    const anonymous = await runCli(['backup', join(cwd, 'x.tar'), '--address', service.address]);
    expect([anonymous.code, anonymous.stderr]).toEqual([1, 'trellis: Authentication is required (401)\n']);
    await runWith('first-pass', 'user', 'create', 'bob', '--group', 'Trellis Users');
    const bob = ['--address', service.address, '--username', 'bob', '--password', 'first-pass'];
    for (const args of [['backup', join(cwd, 'x.tar')], ['verify']]) {
      const refused = await runCli([...args, ...bob]);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('(403)')]);
    }
    expect(readdirSync(cwd).filter(name => name.startsWith('x.tar'))).toEqual([]);
  });
});
