import process from 'node:process';
import {expect, test} from 'vitest';
import {randomFrom} from '../crash/random.ts';
import {serviceChaos} from './service-chaos.ts';

/** Minutes under load; a short while when absent. */
const MINUTES = Number(process.env.CHAOS_MINUTES ?? 0);
const SEED = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31));
const SECONDS_MAX = MINUTES === 0 ? 90 : MINUTES * 60;
const SETTLE_SECONDS_MAX = 240;

test(`servers, workers and their database are killed at random, and every promise is kept (CHAOS_SEED=${SEED})`, {
  timeout: (SECONDS_MAX + SETTLE_SECONDS_MAX) * 1000,
}, async () => {
  const report = await serviceChaos({
    random: randomFrom(SEED),
    acknowledgedMin: MINUTES === 0 ? 400 : Number.POSITIVE_INFINITY,
    secondsMax: SECONDS_MAX,
  });
  if (MINUTES > 0) console.log(JSON.stringify(report, null, 2));
  expect(report.problems).toEqual([]);
  expect(report.tasks).toBeGreaterThan(0);
  expect(Math.min(...Object.values(report.kills))).toBeGreaterThan(0);
});
