import process from 'node:process';
import fc from 'fast-check';
import {describe, test} from 'vitest';
import type {StoreHarness} from './graph-store-contract/world.ts';
import {History} from './graph-store-histories/history.ts';
import {shrunk} from './graph-store-histories/shrink.ts';
import {histories, type Step} from './graph-store-histories/steps.ts';

export interface HistoryOptions {
  readonly runs: number;
  readonly stepsMax?: number;
}

const TIMEOUT_MILLIS = 900_000;

/**
 * Random histories, lived by a store and by the naive model at once: every answer must be the same.
 *
 * A failure prints its seed and the steps that are left when all that it fails without is taken away. `HISTORY_SEED`
 * runs the same histories again, `HISTORY_RUNS` sets how many, and `HISTORY_STEPS` replays one history given as JSON.
 */
export function graphStoreHistories(
  name: string,
  harness: StoreHarness,
  {runs, stepsMax = 40}: HistoryOptions,
): void {
  const live = (steps: readonly Step[]) => new History(harness).live(steps);
  const fails = (steps: readonly Step[]) =>
    live(steps).then(
      () => false,
      () => true,
    );
  describe(`${name}: graph-store histories`, () => {
    test('any history gives the answers of the model', {timeout: TIMEOUT_MILLIS}, async () => {
      const {HISTORY_SEED, HISTORY_RUNS, HISTORY_STEPS} = process.env;
      if (HISTORY_STEPS !== undefined) return live(JSON.parse(HISTORY_STEPS) as readonly Step[]);
      const numRuns = HISTORY_RUNS === undefined ? runs : Number(HISTORY_RUNS);
      const seed = HISTORY_SEED === undefined ? {} : {seed: Number(HISTORY_SEED)};
      const property = fc.asyncProperty(histories(stepsMax), live);
      const outcome = await fc.check(property, {...seed, numRuns, endOnFailure: true});
      if (!outcome.failed) return;
      const steps = await shrunk(outcome.counterexample?.[0] ?? [], fails);
      const text = JSON.stringify(steps);
      await live(steps).catch(cause => {
        throw new Error(
          `HISTORY_SEED=${outcome.seed} fails after ${outcome.numRuns} runs; HISTORY_STEPS='${text}'`,
          {cause},
        );
      });
      throw new Error(`HISTORY_SEED=${outcome.seed} fails now and then`, {cause: outcome.errorInstance});
    });
  });
}
