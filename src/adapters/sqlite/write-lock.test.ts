import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {expect, onTestFinished, test} from 'vitest';
import {freshId, MAIN, putKinds, SERVICE, TAG, TickingClock} from '../../ports/graph-store-fixtures.ts';
import {databasePath} from './data-file.ts';
import {openSqliteGraphStore} from './sqlite-graph-store.ts';

test('a write that finds the database locked, as while the log is cut back, waits without holding its thread', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-lock-'));
  const store = await openSqliteGraphStore({folder, clock: new TickingClock(), readWorkers: 0});
  const other = new DatabaseSync(databasePath(folder));
  onTestFinished(async () => {
    other.close();
    await store.close();
    rmSync(folder, {recursive: true, force: true});
  });
  await putKinds(store, MAIN, TAG);
  other.exec('BEGIN IMMEDIATE');
  const id = freshId();
  const written = store.write(MAIN, SERVICE, draft =>
    draft.create({id, kind: 'TestTag', attributes: {name: {value: 'late'}}}),
  );
  let turns = 0;
  while (turns < 200) {
    await nextTurn();
    turns += 1;
  }
  const snapshot = await store.snapshot({branch: MAIN});
  expect(await snapshot.node(id)).toBe(undefined);
  other.exec('COMMIT');
  await written;
  expect((await (await store.snapshot({branch: MAIN})).node(id))?.value('name')).toBe('late');
});
