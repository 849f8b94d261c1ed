import {closeSync, existsSync, openSync, readFileSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {openSqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {StartedProcess, tempFolder} from '../process/start-process.ts';
import {allRemoved, checkAcknowledged, checkWhole} from './check-store.ts';
import {COMPILED} from './compiled.ts';
import {readJournal} from './journal.ts';
import {randomFrom} from './random.ts';
import {told} from './told.ts';

const ROUNDS = Math.max(1, Math.round(Number(process.env.CRASH_ROUNDS ?? 50) * 0.8));
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31));
const STEPS_MAX = 40;
/** What earlier rounds wrote is looked at again at the end. */
const ENTRIES_LOOKED_AT = 150;
const MILLIS_PER_ROUND_MAX = 30_000;

/**
 * Writers are killed in the middle of what they do, round after round on the same folder. `CRASH_ROUNDS` sets how
 * many, `CRASH_SEED` repeats the choices; the moment of a kill is a number of steps and not a time.
 */
test(`what was acknowledged survives a killed process, and nothing is there by half (CRASH_SEED=${SEED})`, {
  timeout: ROUNDS * MILLIS_PER_ROUND_MAX,
}, async () => {
  const random = randomFrom(SEED);
  const folder = tempFolder();
  const journal = join(folder, 'journal');
  for (let round = 0; round < ROUNDS; round += 1) {
    await killedWriter(folder, journal, random, round);
    if (random(2) === 0) tearLog(folder, random);
    const store = await openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0});
    expect((await store.verify()).problems).toEqual([]);
    await checkAcknowledged(store, readJournal(journal).slice(-ENTRIES_LOOKED_AT));
    await checkWhole(store);
    await store.close();
  }
  expect(readJournal(journal).length).toBeGreaterThan(ROUNDS);
  const store = await openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0});
  await checkAcknowledged(store, readJournal(journal));
  await allRemoved(store);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});

/** Kills it after so many steps that it has told of; sometimes when it has just begun, or before it has. */
async function killedWriter(
  folder: string,
  journal: string,
  random: (bound: number) => number,
  round: number,
): Promise<void> {
  const script = join(import.meta.dirname, 'crash-writer.ts');
  const args = [script, folder, journal, String(random(2 ** 31)), String(round)];
  const writer = new StartedProcess(process.execPath, args, {env: COMPILED});
  const steps = random(STEPS_MAX);
  if (steps % 10 !== 0) await told(writer, steps);
  else if (steps % 20 === 0) await writer.printed(/opened|made/);
  writer.child.kill('SIGKILL');
  expect(await writer.ended(), writer.stderr).toBe('SIGKILL');
}

/** As if the machine had lost its power while the next commit was on its way to the log. */
function tearLog(folder: string, random: (bound: number) => number): void {
  const log = join(folder, 'trellis.db-wal');
  if (!existsSync(log)) return;
  const bytes = readFileSync(log);
  let end = bytes.length;
  while (bytes[end - 1] === 0) end -= 1;
  const file = openSync(log, 'r+');
  const torn = Buffer.from(Array.from({length: random(9000)}, () => random(256)));
  writeSync(file, torn, 0, torn.length, end);
  closeSync(file);
}
