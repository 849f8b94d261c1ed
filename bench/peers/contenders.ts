import {join} from 'node:path';
import {Client} from 'pg';
import {moveToPostgres} from '../../src/adapters/postgres/move-to-postgres.ts';
import {startPostgres, type TestServer} from '../../src/adapters/postgres/postgres-server-harness.ts';
import {copyService} from '../data-sets/service-set.ts';
import {pidWithArgument} from '../processor.ts';
import {US} from '../report/peer-tables.ts';
import {Served} from '../served.ts';
import {install, type Package} from './install.ts';
import type {Dialect} from './questions.ts';
import {loadTables} from './tables.ts';

/** A program that answers the questions. */
export interface Contender {
  readonly who: string;
  readonly dialect: Dialect;
  readonly served: Served;
  readonly headers: Readonly<Record<string, string>>;
  /** Processes whose time on the processor is spent for its answers. */
  readonly pids: readonly number[];
}

const KEY = 'bench-key-of-the-admin';
const CONNECTIONS = '10';
const PLAIN = 'plain';

const POSTGRAPHILE = {
  name: 'postgraphile',
  dependencies: {postgraphile: '5.1.5', 'postgraphile-plugin-connection-filter': '4.0.1'},
};
const DIRECTUS = {
  name: 'directus',
  dependencies: {directus: '12.4.0'},
  node: '22.23.3',
  compiled: ['isolated-vm', 'argon2'],
};

/** Everybody on the same data, each on a copy of its own; who could not be installed says so and is left out. */
export class Arena {
  readonly contenders: Contender[] = [];
  readonly #server: TestServer;

  private constructor(server: TestServer) {
    this.#server = server;
  }

  static async open(folder: string, size: number): Promise<Arena> {
    const arena = new Arena(await startPostgres({isDurable: true}));
    try {
      await arena.#enter(folder, size);
    } catch (error) {
      await arena.close();
      throw error;
    }
    return arena;
  }

  async close(): Promise<void> {
    for (const {served} of this.contenders) await served.stop();
    await this.#server.stop();
  }

  async #enter(folder: string, size: number): Promise<void> {
    const own = join(folder, 'peers');
    await copyService(size, own);
    await this.#add(US, 'trellis', 'src/main/serve.ts', serviceEnv({SERVICE_DATA_DIR: own}));
    const moved = join(folder, 'peers-moved');
    await copyService(size, moved);
    await this.#database('trellis', 'template1');
    await moveToPostgres({folder: moved, url: this.#server.urlOf('trellis')});
    await this.#add(
      `${US} on PostgreSQL`,
      'trellis',
      'src/main/serve.ts',
      serviceEnv({
        SERVICE_DATA_DIR: join(folder, 'peers-shared'),
        SERVICE_DATABASE_URL: this.#server.urlOf('trellis'),
      }),
      true,
    );
    await this.#database(PLAIN, 'template1');
    await loadTables(this.#server.urlOf(PLAIN), size);
    await this.#addInstalled('PostGraphile', POSTGRAPHILE, 'postgraphile', {GRAPHILE_ENV: 'production'});
    await this.#addInstalled('Directus', DIRECTUS, 'directus', {
      PEER_TOKEN: KEY,
      PEER_FILES: join(folder, 'directus'),
    });
    await this.#addOnCopy('hand-written SQL', 'sql', {});
  }

  async #addInstalled(
    who: string,
    wanted: Package,
    dialect: Dialect,
    env: Readonly<Record<string, string>>,
  ): Promise<void> {
    const found = install(wanted);
    if (found.is === 'missing') {
      console.error(`${who} is left out: ${found.why}`);
      return;
    }
    const {folder, version, node} = found;
    await this.#addOnCopy(`${who} ${version}`, dialect, {...env, PEER_FOLDER: folder, PEER_NODE: node});
  }

  async #addOnCopy(who: string, dialect: Dialect, env: Readonly<Record<string, string>>): Promise<void> {
    await this.#database(dialect, PLAIN);
    const settings = {
      ...env,
      NODE_ENV: 'production',
      DATABASE_URL: this.#server.urlOf(dialect),
      PEER_CONNECTIONS: CONNECTIONS,
    };
    await this.#add(who, dialect, `bench/peers/${dialect}-server.ts`, settings, true);
  }

  async #add(
    who: string,
    dialect: Dialect,
    file: string,
    env: Readonly<Record<string, string>>,
    isOnPostgres = false,
  ): Promise<void> {
    const served = await Served.start(file, env);
    const database = isOnPostgres ? [pidWithArgument(`port=${this.#server.port}`)] : [];
    this.contenders.push({who, dialect, served, headers: HEADERS[dialect], pids: [served.pid, ...database]});
  }

  async #database(name: string, template: string): Promise<void> {
    const client = new Client(this.#server.urlOf('postgres'));
    await client.connect();
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    await client.end();
  }
}

const HEADERS: Readonly<Record<Dialect, Contender['headers']>> = {
  trellis: {'x-api-key': KEY},
  postgraphile: {},
  directus: {authorization: `Bearer ${KEY}`},
  sql: {},
};

const serviceEnv = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  SERVICE_PORT: '0',
  SERVICE_INITIAL_ADMIN_TOKEN: KEY,
  SERVICE_LOG_LEVEL: 'WARNING',
  ...env,
});
