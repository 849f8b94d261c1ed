import {copyFileSync, mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {beforeEach, expect, onTestFinished, test} from 'vitest';
import {change, read} from '../sql/statement.ts';
import {Connection} from './connection.ts';
import {LOG_BYTES, lengthenLog, logPath} from './log-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-log-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
});

function opened(path: string): Connection {
  const connection = new Connection(path, {readOnly: false});
  onTestFinished(() => connection.close());
  return connection;
}

function written(path: string): Connection {
  const connection = opened(path);
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
  connection.exec('CREATE TABLE kept (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  return connection;
}

const add = (connection: Connection, id: number) =>
  connection.run(change('INSERT INTO kept (id, text) VALUES (?1, ?2)', [id, 'x'.repeat(3000)]));

const count = (connection: Connection) => connection.run(read('SELECT count(*) FROM kept', []))[0]![0];

/** As a machine finds it that has lost its power. */
function copyOf(path: string): Connection {
  const copy = join(folder, 'copy.db');
  copyFileSync(path, copy);
  copyFileSync(logPath(path), logPath(copy));
  return opened(copy);
}

test('what is written while the log gets its length is all there after a crash', async () => {
  const path = join(folder, 'data.db');
  const connection = written(path);
  let isDone = false;
  const lengthening = lengthenLog(path).finally(() => {
    isDone = true;
  });
  let rows = 0;
  for (; !isDone || rows < 100; rows += 1) {
    add(connection, rows);
    await nextTurn();
  }
  await lengthening;
  expect(statSync(logPath(path)).size).toBeGreaterThanOrEqual(LOG_BYTES);
  expect(count(copyOf(path))).toBe(rows);
});

test('a log that is begun anew keeps its length, and what stood in it before is not taken for more', async () => {
  const path = join(folder, 'data.db');
  const connection = written(path);
  await lengthenLog(path);
  for (let id = 0; id < 50; id += 1) add(connection, id);
  connection.exec('PRAGMA wal_checkpoint(RESTART)');
  connection.run(change('DELETE FROM kept WHERE id > 9', []));
  const {size} = statSync(logPath(path));
  expect(size).toBeGreaterThanOrEqual(LOG_BYTES);
  expect(count(copyOf(path))).toBe(10);
  await lengthenLog(path);
  expect(statSync(logPath(path)).size).toBe(size);
});
