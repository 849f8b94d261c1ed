import {once} from 'node:events';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {type AddressInfo, connect, createServer} from 'node:net';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {addressOf, startServer, tempFolder} from './start-process.ts';

const AS_ROOT = process.getuid?.() === 0;

describe('npm start', () => {
  test('serves, says where and how, logs JSON lines only to standard output, and stops when told', async () => {
    const folder = join(tempFolder(), 'deep', 'data');
    const server = startServer({SERVICE_DATA_DIR: folder});
    const address = await addressOf(server);
    await server.printed(/stop {6}Ctrl-C/);
    expect(server.stderr).toContain(`try       curl ${address}/api/health`);
    expect(server.stderr).toContain('account   admin, password "service"');
    const answer = await fetch(`${address}/api/health`);
    expect(answer.status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended()).toBe(0);
    const messages = server.logLines().map(line => line.message);
    expect(messages).toEqual(['ready', 'GET /api/health 200', 'stopping', 'stopped']);
    await expect(fetch(address)).rejects.toThrow();
  });

  test('makes one secret for the data folder, for its owner only, and keeps it', async () => {
    const folder = tempFolder();
    const file = join(folder, 'secret.key');
    const keys: string[] = [];
    for (let round = 0; round < 2; round++) {
      const server = startServer({SERVICE_DATA_DIR: folder});
      await addressOf(server);
      keys.push(readFileSync(file, 'utf8'));
      server.child.kill('SIGINT');
      expect(await server.ended()).toBe(0);
    }
    expect(keys[0]).toMatch(/^[\w-]{43}\n$/);
    expect(keys[1]).toBe(keys[0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter(name => name !== 'secret.key' && /key|probe/.test(name))).toEqual([]);
  });

  test('makes no secret file when the secret is a setting', async () => {
    const folder = tempFolder();
    const server = startServer({SERVICE_DATA_DIR: folder, SERVICE_SECURITY_SECRET_KEY: 'x'.repeat(32)});
    await addressOf(server);
    expect(existsSync(join(folder, 'secret.key'))).toBe(false);
  });

  test('never shows a password of your own', async () => {
    const server = startServer({SERVICE_DATA_DIR: tempFolder(), SERVICE_INITIAL_ADMIN_PASSWORD: 'hunter22'});
    await addressOf(server);
    await server.printed(/Ctrl-C/);
    expect(server.stdout + server.stderr).not.toContain('hunter22');
  });

  test('warns of a variable that is no setting', async () => {
    const server = startServer({SERVICE_DATA_DIR: tempFolder(), SERVICE_PROT: '9000'});
    await addressOf(server);
    expect(server.logLines()).toContainEqual(
      expect.objectContaining({
        level: 'WARNING',
        message: expect.stringContaining('did you mean SERVICE_PORT?'),
      }),
    );
  });
});

describe('a start that cannot go on', () => {
  async function refusal(env: Record<string, string>) {
    const server = startServer(env);
    const code = await server.ended();
    expect(server.stderr).not.toMatch(/\n {4}at /);
    expect(server.stdout).not.toContain('ready');
    return {code, words: server.stderr};
  }

  test('ends with 2 for a worker on the embedded store, in a sentence', async () => {
    const server = startServer({SERVICE_DATA_DIR: tempFolder()}, ['--worker']);
    expect(await server.ended()).toBe(2);
    expect(server.stderr).toContain('A worker of its own needs PostgreSQL');
  });

  test('lists every impossible setting and ends with 2, before the data folder is touched', async () => {
    const folder = join(tempFolder(), 'data');
    const {code, words} = await refusal({
      SERVICE_DATA_DIR: folder,
      SERVICE_PORT: '70000',
      SERVICE_LOG_LEVEL: 'loudest',
      SERVICE_DATABASE_URL: 'mysql://db/trellis',
    });
    expect(code).toBe(2);
    expect(words).toContain('SERVICE_PORT is "70000"; allowed: a whole number from 0 to 65535');
    expect(words).toContain('SERVICE_LOG_LEVEL is "loudest"');
    expect(words).toContain('SERVICE_DATABASE_URL');
    expect(existsSync(folder)).toBe(false);
  });

  test('ends with 2 for a first start on an open host with the default password', async () => {
    const {code, words} = await refusal({SERVICE_DATA_DIR: tempFolder(), SERVICE_HOST: '0.0.0.0'});
    expect(code).toBe(2);
    expect(words).toContain('set SERVICE_INITIAL_ADMIN_PASSWORD');
  });

  test('ends with 4 when the port is in use, and leaves its user alone', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const {port} = other.address() as AddressInfo;
    const {code, words} = await refusal({SERVICE_DATA_DIR: tempFolder(), SERVICE_PORT: String(port)});
    expect(code).toBe(4);
    expect(words).toBe(
      `Port ${port} on 127.0.0.1 is in use by another process; stop it or choose another SERVICE_PORT.\n`,
    );
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  });

  test('ends with 4 when the host is not an address of this machine', async () => {
    const {code, words} = await refusal({
      SERVICE_DATA_DIR: tempFolder(),
      SERVICE_HOST: '192.0.2.1',
      SERVICE_INITIAL_ADMIN_PASSWORD: 'of my own',
    });
    expect(code).toBe(4);
    expect(words).toContain('Cannot listen on 192.0.2.1');
    expect(words).toContain('SERVICE_HOST');
  });

  test('ends with 3 when the data folder is a file, which stays as it was', async () => {
    const file = join(tempFolder(), 'notes.txt');
    writeFileSync(file, 'mine');
    const {code, words} = await refusal({SERVICE_DATA_DIR: file});
    expect(code).toBe(3);
    expect(words).toBe(`The data folder ${file} is a file; point SERVICE_DATA_DIR at a folder.\n`);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('ends with 3 when the data folder cannot be created', async () => {
    const file = join(tempFolder(), 'notes.txt');
    writeFileSync(file, 'mine');
    const {code, words} = await refusal({SERVICE_DATA_DIR: join(file, 'data')});
    expect(code).toBe(3);
    expect(words).toMatch(/^The data folder \S+ cannot be created \(ENOTDIR\); create it or choose another/);
  });

  test('ends with 3 when nothing can be created above the data folder', async () => {
    const {code, words} = await refusal({SERVICE_DATA_DIR: '/proc/nothing/of/this'});
    expect(code).toBe(3);
    expect(words).toMatch(/^The data folder \S+ cannot be created \(ENOENT\); create it or choose another/);
  });

  test('ends with 3 when the data folder is read-only', async () => {
    const folder = join(tempFolder(), 'data');
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    // The superuser writes anywhere but in the kernel's own folders.
    const {code, words} = await refusal({SERVICE_DATA_DIR: AS_ROOT ? '/proc' : folder});
    expect(code).toBe(3);
    expect(words).toMatch(/^The data folder \S+ cannot be written \(\w+\); give this user the right/);
  });

  test.each([
    ['empty', ''],
    ['cut short', 'abc\n'],
    ['something else', `${'!'.repeat(43)}\n`],
  ])('ends with 3 when the secret file is %s, and does not replace it', async (_what, content) => {
    const folder = tempFolder();
    const file = join(folder, 'secret.key');
    writeFileSync(file, content);
    const {code, words} = await refusal({SERVICE_DATA_DIR: folder});
    expect(code).toBe(3);
    expect(words).toContain(`The secret key file ${file} does not hold a key of this service`);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  test('ends with 3 when the secret file cannot be read', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'secret.key'));
    const {code, words} = await refusal({SERVICE_DATA_DIR: folder});
    expect(code).toBe(3);
    expect(words).toContain('cannot be read');
  });
});
