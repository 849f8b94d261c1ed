import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';

/** Directus with its defaults on the database of `DATABASE_URL`, its relationships named; ends with this process. */
const {
  PEER_FOLDER = '',
  PEER_NODE = '',
  PEER_TOKEN = '',
  PEER_FILES = '',
  DATABASE_URL = '',
  PEER_CONNECTIONS = '',
} = process.env;
const CLI = join('node_modules', 'directus', 'cli.js');
const {hostname, port: databasePort, username, pathname} = new URL(DATABASE_URL);

const port = await freePort();
const address = `http://127.0.0.1:${port}`;
for (const name of ['uploads', 'extensions']) mkdirSync(join(PEER_FILES, name), {recursive: true});
const env = {
  ...process.env,
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: address,
  KEY: 'key-of-the-bench',
  SECRET: 'secret-of-the-bench-that-is-long-enough',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'password-of-the-bench',
  ADMIN_TOKEN: PEER_TOKEN,
  DB_CLIENT: 'pg',
  DB_HOST: hostname,
  DB_PORT: databasePort,
  DB_DATABASE: pathname.slice(1),
  DB_USER: username,
  DB_PASSWORD: 'none',
  DB_POOL__MAX: PEER_CONNECTIONS,
  LOG_LEVEL: 'warn',
  TELEMETRY: 'false',
  STORAGE_LOCAL_ROOT: join(PEER_FILES, 'uploads'),
  EXTENSIONS_PATH: join(PEER_FILES, 'extensions'),
};

const made = spawnSync(PEER_NODE, [CLI, 'bootstrap'], {cwd: PEER_FOLDER, env, encoding: 'utf8'});
if (made.status !== 0) throw new Error(`Directus did not set itself up: ${made.stderr}`);
const child = spawn(PEER_NODE, [CLI, 'start'], {
  cwd: PEER_FOLDER,
  env,
  stdio: ['ignore', 'ignore', 'inherit'],
});
child.once('exit', () => process.exit());
process.once('SIGTERM', () => child.kill('SIGTERM'));

while (!(await isUp())) await wait(100);
await call('PATCH', '/collections/site', {meta: {hidden: false}});
await call('PATCH', '/collections/device', {meta: {hidden: false}});
await call('PATCH', '/collections/interface', {meta: {hidden: false}});
await name('device', 'interfaces', '/relations/interface/device_id');
await name('site', 'devices', '/relations/device/site_id');
console.log(`ready at ${address}`);

/** Gives the many side of a foreign key a name on the one side. */
async function name(collection: string, field: string, relation: string): Promise<void> {
  await call('POST', `/fields/${collection}`, {field, type: 'alias', meta: {special: ['o2m']}});
  await call('PATCH', relation, {meta: {one_field: field}});
}

async function call(method: string, path: string, body: object): Promise<void> {
  const headers = {authorization: `Bearer ${PEER_TOKEN}`, 'content-type': 'application/json'};
  const response = await fetch(`${address}${path}`, {method, headers, body: JSON.stringify(body)});
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
}

async function isUp(): Promise<boolean> {
  try {
    return (await fetch(`${address}/server/ping`)).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const found = server.address();
  server.close();
  return found !== null && typeof found === 'object' ? found.port : 0;
}
