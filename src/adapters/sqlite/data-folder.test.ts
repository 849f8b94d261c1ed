import {createHash} from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {
  ALL_KINDS,
  chosen,
  freshId,
  MAIN,
  putKinds,
  SERVICE,
  TickingClock,
} from '../../ports/graph-store-fixtures.ts';
import {FORMAT} from '../sql/tables.ts';
import {databasePath} from './data-file.ts';
import {StoreRefused} from './sqlite-error.ts';
import type {SqliteGraphStore} from './sqlite-graph-store.ts';
import {openSqliteGraphStore} from './sqlite-graph-store.ts';

const NOBODY = 65_534;
const HOUR_MICROS = 3_600_000_000;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-folder-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

const open = (folder: string, clock = new TickingClock()) =>
  openSqliteGraphStore({folder, clock, readWorkers: 0});

/** A folder with one tag in its store, which is closed. */
async function usedFolder(): Promise<string> {
  const folder = newFolder();
  const store = await open(folder);
  await putKinds(store, MAIN, ...ALL_KINDS);
  await addTag(store, 'red');
  await store.close();
  return folder;
}

async function addTag(store: SqliteGraphStore, name: string): Promise<void> {
  await store.write(MAIN, SERVICE, draft =>
    draft.create({id: freshId(), kind: 'TestTag', attributes: chosen({name})}),
  );
}

async function tagsIn(store: SqliteGraphStore): Promise<readonly unknown[]> {
  const page = await (await store.snapshot({branch: MAIN})).query({kind: 'TestTag'});
  return page.found.map(({node}) => node.value('name'));
}

/** The sentence with which the folder is refused. Its database may not change by that. */
async function refusalOf(folder: string): Promise<string> {
  const path = databasePath(folder);
  const contents = () =>
    existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : undefined;
  const before = contents();
  const error = await open(folder).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreRefused);
  expect(contents()).toEqual(before);
  return (error as StoreRefused).message;
}

/** The right to write anywhere is the administrator's; it is laid down where the test has it. */
async function withoutPrivilege<T>(work: () => Promise<T>): Promise<T> {
  const user = process.geteuid!();
  if (user === 0) process.seteuid!(NOBODY);
  try {
    return await work();
  } finally {
    if (user === 0) process.seteuid!(user);
  }
}

describe('a data folder is refused in a sentence, and left as it is, when', () => {
  test('it cannot be written', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o555);
    const error = await withoutPrivilege(() => open(folder).catch((reason: unknown) => reason));
    expect(error).toBeInstanceOf(StoreRefused);
    expect((error as Error).message).toMatch(/cannot be opened for writing; check that the data folder/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('its database cannot be written', async () => {
    const folder = await usedFolder();
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
    chmodSync(folder, 0o555);
    const error = await withoutPrivilege(() => open(folder).catch((reason: unknown) => reason));
    expect(error).toBeInstanceOf(StoreRefused);
    expect((error as Error).message).toMatch(/cannot be opened for writing; check that the data folder/);
    chmodSync(folder, 0o755);
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
    const store = await open(folder);
    expect(await tagsIn(store)).toEqual(['red']);
    await store.close();
  });

  test('it is not there, or is a file', async () => {
    const folder = newFolder();
    await expect(open(join(folder, 'nowhere'))).rejects.toThrow(/check that the data folder is there/);
    writeFileSync(join(folder, 'file'), '');
    await expect(open(join(folder, 'file'))).rejects.toThrow(StoreRefused);
  });

  test('its database was written by a newer version of the service', async () => {
    const folder = await usedFolder();
    const database = new DatabaseSync(databasePath(folder));
    database.exec(`PRAGMA user_version = ${FORMAT + 1}`);
    database.close();
    expect(await refusalOf(folder)).toMatch(
      `was written by a newer version of this service (format ${FORMAT + 1}, this version knows ${FORMAT}); upgrade`,
    );
  });

  test('its database is that of another program', async () => {
    const folder = newFolder();
    const database = new DatabaseSync(databasePath(folder));
    database.exec('CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)');
    database.close();
    expect(await refusalOf(folder)).toMatch(/is a database of another program; choose another folder/);
  });

  test('its database is no database', async () => {
    const folder = newFolder();
    writeFileSync(databasePath(folder), 'a text that somebody put here '.repeat(200));
    expect(await refusalOf(folder)).toMatch(/is damaged or not a database of this service; restore it/);
  });

  test('its database is cut short', async () => {
    const folder = await usedFolder();
    const bytes = readFileSync(databasePath(folder));
    writeFileSync(databasePath(folder), bytes.subarray(0, 4096 + 100));
    expect(await refusalOf(folder)).toMatch(/is damaged/);
  });

  test('a folder stands where the database should', async () => {
    const folder = newFolder();
    mkdirSync(databasePath(folder));
    await expect(open(folder)).rejects.toThrow(StoreRefused);
  });

  test('its lock is something else', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'trellis.lock'), 'not a lock '.repeat(500));
    expect(await refusalOf(folder)).toMatch(/trellis\.lock is not a lock of this service; remove it/);
  });
});

test('a folder that was refused can be opened once the reason is gone', async () => {
  const folder = await usedFolder();
  const first = await open(folder);
  await expect(open(folder)).rejects.toThrow(/is in use by another process/);
  await addTag(first, 'blue');
  await first.close();
  const second = await open(folder);
  expect(await tagsIn(second)).toEqual(['blue', 'red']);
  await second.close();
});

test('a start that was cut off before the tables were made is made again', async () => {
  const folder = newFolder();
  writeFileSync(databasePath(folder), '');
  const store = await open(folder);
  expect(store.isNew).toBe(true);
  await store.close();
});

test('a clock that went back an hour while the store was closed moves no commit into the past', async () => {
  const folder = await usedFolder();
  const clock = new TickingClock();
  const before = await open(folder, clock);
  const told = (await before.commits({branch: MAIN, limit: 1, newestFirst: true}))[0]!.instant;
  await before.close();
  clock.micros -= HOUR_MICROS;
  const store = await open(folder, clock);
  expect(store.now()).toBeGreaterThanOrEqual(told);
  await addTag(store, 'blue');
  const [last, previous] = await store.commits({branch: MAIN, limit: 2, newestFirst: true});
  expect(last!.instant).toBeGreaterThan(previous!.instant);
  expect(previous!.instant).toBe(told);
  const past = await store.snapshot({branch: MAIN, at: told});
  expect((await past.query({kind: 'TestTag', count: true})).count).toBe(1);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});
