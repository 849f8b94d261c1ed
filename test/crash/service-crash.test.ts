import {createReadStream, mkdirSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {restoreBackup} from '../../src/adapters/backup/restore-backup.ts';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {openSqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {StartedProcess, tempFolder} from '../process/start-process.ts';
import {COMPILED} from './compiled.ts';
import {randomFrom} from './random.ts';
import {checkTold} from './service-check.ts';
import {readTold} from './service-journal.ts';
import {told} from './told.ts';

const ROUNDS = Math.max(1, Math.round(Number(process.env.CRASH_ROUNDS ?? 50) * 0.2));
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31));
const STEPS_MAX = 6;
const MILLIS_PER_ROUND_MAX = 60_000;

const openGraph = (folder: string) => openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0});

/**
 * A whole service is killed while its clients import, branch, rebase, merge, change the schema and take backups, round
 * after round on the same folder.
 */
test(`what a service told its clients survives its end, and so does every backup (CRASH_SEED=${SEED})`, {
  timeout: ROUNDS * MILLIS_PER_ROUND_MAX,
}, async () => {
  const random = randomFrom(SEED);
  const top = tempFolder();
  const folder = join(top, 'data');
  const journal = join(top, 'journal');
  mkdirSync(join(top, 'backups'));
  mkdirSync(folder);
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = readTold(journal).length;
    await killedService(folder, journal, random, round);
    const all = readTold(journal);
    const store = await openGraph(folder);
    await checkTold(store, all);
    await store.close();
    const saved = all.slice(before).findLast(each => each.is === 'saved');
    if (saved !== undefined)
      await checkBackup(saved.file, join(top, 'restored'), all.slice(0, saved.toldBefore));
  }
  expect(readTold(journal).length).toBeGreaterThan(ROUNDS);
});

async function killedService(
  folder: string,
  journal: string,
  random: (bound: number) => number,
  round: number,
): Promise<void> {
  const script = join(import.meta.dirname, 'service-writer.ts');
  const args = [script, folder, journal, String(random(2 ** 31)), String(round)];
  const service = new StartedProcess(process.execPath, args, {env: COMPILED});
  const steps = random(STEPS_MAX) + (round === 0 ? 2 : 0);
  if (steps === 0) await service.printed(/ready/);
  else await told(service, steps);
  service.child.kill('SIGKILL');
  expect(await service.ended(), service.stderr).toBe('SIGKILL');
  expect(readdirSync(folder).filter(name => name.startsWith('restore'))).toEqual([]);
}

async function checkBackup(
  file: string,
  folder: string,
  known: Parameters<typeof checkTold>[1],
): Promise<void> {
  rmSync(folder, {recursive: true, force: true});
  const request = {chunks: createReadStream(file), folder, clock: systemClock, force: false, onStep() {}};
  await restoreBackup(request);
  const store = await openGraph(folder);
  await checkTold(store, known);
  await store.close();
}
