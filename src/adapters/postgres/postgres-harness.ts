import pg from 'pg';
import {afterAll, inject} from 'vitest';
import {must} from '../../base/assert.ts';
import type {Clock} from '../../ports/clock.ts';
import type {GraphStore} from '../../ports/graph-store.ts';
import type {StoreHarness} from '../../ports/graph-store-contract/world.ts';
import {openPostgresGraphStore} from './open-postgres-store.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server's maintenance database. */
    postgresUrl: string;
  }
}

const EMPTY = `SELECT string_agg('DELETE FROM ' || quote_ident(tablename), '; ') AS sql FROM pg_tables
  WHERE schemaname = 'public'`;

/** Databases for one test file: each new store gets an empty one, and one that was closed is used again. */
export class Databases {
  readonly #server: string;
  readonly #free: string[] = [];
  readonly #made: string[] = [];
  readonly #clients = new Map<string, pg.Client>();

  constructor(server = inject('postgresUrl')) {
    this.#server = server;
  }

  async take(): Promise<string> {
    const used = this.#free.pop();
    if (used !== undefined) {
      await this.#empty(used);
      return used;
    }
    const name = `t${process.pid}_${Math.floor(performance.now() * 1000)}_${this.#made.length}`;
    await this.#on(this.#server, client => client.query(`CREATE DATABASE ${name}`));
    const url = this.#server.replace(/[^/]*$/, name);
    this.#made.push(name);
    return url;
  }

  give(url: string): void {
    this.#free.push(url);
  }

  async close(): Promise<void> {
    for (const client of this.#clients.values()) await client.end();
    await this.#on(this.#server, async client => {
      for (const name of this.#made) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    });
  }

  async #empty(url: string): Promise<void> {
    let client = this.#clients.get(url);
    if (client === undefined) {
      client = new pg.Client({connectionString: url});
      await client.connect();
      this.#clients.set(url, client);
    }
    const {rows} = await client.query<{sql: string}>(EMPTY);
    await client.query(rows[0]!.sql);
  }

  async #on<T>(url: string, body: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({connectionString: url});
    await client.connect();
    try {
      return await body(client);
    } finally {
      await client.end();
    }
  }
}

/** Stores on the server of the test run. */
export function postgresHarness(): StoreHarness {
  const databases = new Databases();
  const urls = new WeakMap<GraphStore, string>();
  const underway = new Set<GraphStore>();
  afterAll(async () => {
    for (const store of underway) await store.close();
    await databases.close();
  });

  async function openAt(url: string, clock: Clock): Promise<GraphStore> {
    const store = await openPostgresGraphStore({url, clock, connectionsMax: 3});
    urls.set(store, url);
    underway.add(store);
    return store;
  }

  return {
    async open({clock}) {
      for (const store of underway) {
        // A scenario is over when the next one begins.
        await store.close();
        underway.delete(store);
        databases.give(must(urls.get(store), 'the database of the store'));
      }
      return openAt(await databases.take(), clock);
    },
    async reopen(store, {clock}) {
      await store.close();
      underway.delete(store);
      return openAt(must(urls.get(store), 'the database of the store'), clock);
    },
  };
}
