import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {createJsonLog} from '../../src/adapters/log/pino-log.ts';
import {read} from '../../src/adapters/sql/statement.ts';
import type {SqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {startService} from '../../src/main/compose.ts';
import {openStore} from '../../src/main/open-store.ts';
import {readSettings} from '../../src/main/settings/read.ts';

const KEY = {'x-service-key': 'the-key-of-admin', 'content-type': 'application/json'};

/** A service, and the store in it, whose disk the test can let fail. */
async function openService() {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-failing-'));
  const {settings} = readSettings({
    SERVICE_PORT: '0',
    SERVICE_DATA_DIR: folder,
    SERVICE_INITIAL_ADMIN_TOKEN: 'the-key-of-admin',
  });
  const log = createJsonLog({level: 'CRITICAL', clock: systemClock, to: {write() {}}});
  let store: SqliteGraphStore | undefined;
  const service = await startService(settings, log, async (...args) => {
    store = (await openStore(...args)) as SqliteGraphStore;
    return store;
  });
  onTestFinished(async () => {
    await service.stop();
    rmSync(folder, {recursive: true, force: true});
  });
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(service.address + path, {
      method,
      headers: KEY,
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
    return {status: answer.status, body: (await answer.json()) as any};
  };
  const graphql = (query: string) => ask('POST', '/graphql/main', {query});
  return {store: store!, ask, graphql};
}

const DOWN = {name: 'database', status: 'down', error: 'read_only'};
const UP = {name: 'database', status: 'up', error: 'none'};
const CREATE = 'mutation { BuiltinTagCreate(data: {name: {value: "lost"}}) { ok } }';
const COUNT = '{ BuiltinTag { count } }';
const SCHEMA = {schemas: [{version: '1.0', nodes: [{name: 'Rack', namespace: 'Infra', attributes: []}]}]};

describe('a service', () => {
  test('is healthy when each of its components answers', async () => {
    const {ask} = await openService();
    const {status, body} = await ask('GET', '/api/health');
    expect(status).toBe(200);
    expect(body.checks).toEqual(
      ['database', 'message_bus', 'cache', 'task_manager'].map(name => ({name, status: 'up', error: 'none'})),
    );
  });

  test('whose disk failed acknowledges nothing more, says so, and still reads', async () => {
    const {store, ask, graphql} = await openService();
    const exec = store.writer.exec.bind(store.writer);
    store.writer.exec = sql => {
      if (sql !== 'COMMIT') return exec(sql);
      throw Object.assign(new Error('disk I/O error'), {errcode: 10});
    };
    const refused = await graphql(CREATE);
    expect(refused.body.errors[0].extensions).toMatchObject({code: 'UNAVAILABLE', http_status: 503});
    store.writer.exec = exec;
    const {status, body} = await ask('POST', '/api/schema/load', SCHEMA);
    expect([status, body.errors[0].message]).toEqual([
      503,
      expect.stringContaining('until the service is restarted'),
    ]);
    const health = await ask('GET', '/api/health');
    expect([health.status, health.body.status]).toEqual([503, 'unhealthy']);
    expect(health.body.checks).toContainEqual(DOWN);
    expect((await graphql(COUNT)).body).toEqual({data: {BuiltinTag: {count: 0}}});
  });

  test('whose disk is full refuses to write until there is room, and says so', async () => {
    const {store, ask, graphql} = await openService();
    const pages = (count: number) => store.writer.run(read(`PRAGMA max_page_count = ${count}`, []));
    const exec = store.writer.exec.bind(store.writer);
    let isFull = true;
    store.writer.exec = sql => {
      if (sql !== 'COMMIT' || !isFull) return exec(sql);
      throw Object.assign(new Error('database or disk is full'), {errcode: 13});
    };
    pages(1);
    const {status} = await ask('POST', '/api/schema/load', SCHEMA);
    expect(status).toBe(503);
    const health = await ask('GET', '/api/health');
    expect(health.status).toBe(503);
    expect(health.body.checks).toContainEqual(DOWN);
    isFull = false;
    pages(1_000_000);
    const better = await ask('GET', '/api/health');
    expect(better.body.checks).toContainEqual(UP);
    expect((await graphql(CREATE)).body.errors).toBeUndefined();
  });
});
