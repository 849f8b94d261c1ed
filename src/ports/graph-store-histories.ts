import process from 'node:process';
import fc from 'fast-check';
import {describe, test} from 'vitest';
import type {StoreHarness} from './graph-store-contract/world.ts';
import {History} from './graph-store-histories/history.ts';
import {histories, type Step} from './graph-store-histories/steps.ts';

export interface HistoryOptions {
  readonly runs: number;
  readonly stepsMax?: number;
}

const TIMEOUT_MILLIS = 600_000;

/**
 * Random histories, lived by a store and by the naive model at once: every answer must be the same.
 *
 * A failure prints the seed and the path to the smallest history that fails. `HISTORY_SEED` and `HISTORY_PATH`
 * replay it, `HISTORY_RUNS` sets how many are tried.
 */
export function graphStoreHistories(
  name: string,
  harness: StoreHarness,
  {runs, stepsMax = 40}: HistoryOptions,
): void {
  const live = (steps: readonly Step[]) => new History(harness).live(steps);
  describe(`${name}: graph-store histories`, () => {
    test('any history gives the answers of the model', {timeout: TIMEOUT_MILLIS}, () =>
      fc.assert(fc.asyncProperty(histories(stepsMax), live), {
        ...replayed(),
        ...{numRuns: numberOf('HISTORY_RUNS') ?? runs},
      }),
    );
  });
}

function replayed(): {seed?: number; path?: string} {
  const seed = numberOf('HISTORY_SEED');
  const path = process.env.HISTORY_PATH;
  return {...(seed === undefined ? {} : {seed}), ...(path === undefined ? {} : {path})};
}

function numberOf(variable: string): number | undefined {
  const text = process.env[variable];
  return text === undefined ? undefined : Number(text);
}
