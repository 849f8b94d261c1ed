import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {openSqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {StartedProcess, tempFolder} from '../process/start-process.ts';
import {told} from './told.ts';

test('a folder in use by another process is refused, and that one goes on', async () => {
  const folder = tempFolder();
  const script = join(import.meta.dirname, 'crash-writer.ts');
  const other = new StartedProcess(process.execPath, [script, folder, join(folder, 'journal'), '1', '0'], {});
  await told(other, 3);
  const open = () => openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0});
  await expect(open()).rejects.toThrow(
    `The data folder ${folder} is in use by another process; stop that one, or choose another folder.`,
  );
  await told(other, other.stdout.length);
  other.child.kill('SIGKILL');
  await other.ended();
  const store = await open();
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});
