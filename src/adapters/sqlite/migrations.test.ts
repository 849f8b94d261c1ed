import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {gunzipSync} from 'node:zlib';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {branchName, freshId, MAIN, SERVICE, TickingClock} from '../../ports/graph-store-fixtures.ts';
import {FORMAT} from '../sql/tables.ts';
import {databasePath} from './data-file.ts';
import {openSqliteGraphStore} from './sqlite-graph-store.ts';

/** Files as earlier versions left them: one tag, `red` on main and `blue` on a branch. */
const OLD_FILES = new URL('../../../test/data-files/', import.meta.url);
const TAG = '01890000-0000-7000-8000-000000000001' as NodeId;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-format-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

function folderWith(file: string): string {
  const folder = newFolder();
  writeFileSync(databasePath(folder), gunzipSync(readFileSync(new URL(file, OLD_FILES))));
  return folder;
}

const open = (folder: string) => openSqliteGraphStore({folder, clock: new TickingClock(), readWorkers: 0});

function layoutOf(folder: string): unknown {
  const database = new DatabaseSync(databasePath(folder), {readOnly: true});
  const rows = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
  const format = database.prepare('PRAGMA user_version').get();
  database.close();
  return {rows, format};
}

describe('a file of an older format', () => {
  const files = readdirSync(OLD_FILES).filter(name => name.endsWith('.db.gz'));

  test('is kept here for each format that was ever out', () => {
    expect(files.sort()).toEqual(
      Array.from({length: FORMAT - 1}, (_, place) => `format-${place + 1}.db.gz`).sort(),
    );
  });

  test.each(files)('%s opens with all it had, and takes what is new', async file => {
    const store = await open(folderWith(file));
    const feature = branchName('feature');
    expect((await (await store.snapshot({branch: MAIN})).node(TAG))?.value('name')).toBe('red');
    expect((await (await store.snapshot({branch: feature})).node(TAG))?.value('name')).toBe('blue');
    const commits = await store.commits({branch: feature, limit: 10, newestFirst: false});
    expect(commits.map(commit => commit.message)).toEqual(['second']);
    const {value: task} = await store.write(MAIN, SERVICE, async draft => {
      await draft.create({id: freshId(), kind: 'TestTag', attributes: {name: {value: 'green'}}});
      return draft.enqueue({workflow: 'test', title: 'New', input: null});
    });
    expect((await store.tasks.task(task))?.state).toBe('pending');
    expect((await store.verify()).problems).toEqual([]);
    await store.close();
  });

  test.each(files)('%s comes to the same tables as a new file has', async file => {
    const [old, fresh] = [folderWith(file), newFolder()];
    for (const folder of [old, fresh]) await (await open(folder)).close();
    expect(layoutOf(old)).toEqual(layoutOf(fresh));
  });

  test.each(files)('%s is as it was when the change of format does not get through', async file => {
    const folder = folderWith(file);
    const before = layoutOf(folder);
    const database = new DatabaseSync(databasePath(folder));
    database.exec('CREATE TABLE task_log (mine TEXT)');
    database.close();
    await expect(open(folder)).rejects.toThrow();
    const repaired = new DatabaseSync(databasePath(folder));
    repaired.exec('DROP TABLE task_log');
    repaired.close();
    expect(layoutOf(folder)).toEqual(before);
  });
});
