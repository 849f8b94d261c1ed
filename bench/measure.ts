import type {Clock} from './clock.ts';
import {nowMicros} from './clock.ts';
import {paceSeconds} from './pace.ts';

/** One measured thing. Times are in microseconds, rates per second, sizes in bytes. */
export interface Figure {
  readonly name: string;
  /** The family it belongs to; set by whoever runs it. */
  readonly family?: string;
  readonly unit: 'micros' | 'perSecond' | 'bytes';
  readonly value: number;
  /** Absent where there are too few samples for one. */
  readonly p99?: number;
  /** The raw work that this cannot be faster than, measured in the same run; several are added up. */
  readonly limits?: readonly string[];
  /** True for a limit itself. */
  readonly isLimit?: boolean;
  /** The same question asked of several programs in turns; each is a column of a table of their own. */
  readonly beside?: {
    readonly question: string;
    readonly who: string;
    readonly measure: 'speed' | 'processor';
  };
}

export interface Rounds {
  readonly warmUp?: number;
  readonly roundsMax?: number;
  readonly millisMax?: number;
  /** For work of a few microseconds, which only the wall's clock is fine enough for. */
  readonly clock?: Clock;
}

const SAMPLES_FOR_P99 = 100;

const paceMillis = (): number => 1000 * paceSeconds();

/** How long each round takes, in microseconds, after some that do not count: `warmUp`, or fewer when they take long. */
export async function timed(
  body: (round: number) => unknown,
  {warmUp = 50, roundsMax = 3_000, millisMax = paceMillis(), clock = nowMicros}: Rounds = {},
): Promise<readonly number[]> {
  const warm = performance.now() + millisMax / 2;
  for (let round = 0; round < warmUp && performance.now() < warm; round += 1) await body(round);
  const samples: number[] = [];
  const until = performance.now() + millisMax;
  for (let round = warmUp; samples.length < roundsMax; round += 1) {
    const start = clock();
    await body(round);
    samples.push(clock() - start);
    if (performance.now() > until) break;
  }
  return samples;
}

/** As `timed`, for work that never waits: the clock sees nothing but the work. */
export function timedSync(body: (round: number) => unknown, rounds: Rounds = {}): readonly number[] {
  const {warmUp = 50, roundsMax = 3_000, millisMax = paceMillis(), clock = nowMicros} = rounds;
  const warm = performance.now() + millisMax / 2;
  for (let round = 0; round < warmUp && performance.now() < warm; round += 1) body(round);
  const samples: number[] = [];
  const until = performance.now() + millisMax;
  for (let round = warmUp; samples.length < roundsMax; round += 1) {
    const start = clock();
    body(round);
    samples.push(clock() - start);
    if (performance.now() > until) break;
  }
  return samples;
}

export function time(name: string, samples: readonly number[], limits?: readonly string[]): Figure {
  const sorted = samples.toSorted((a, b) => a - b);
  return {
    name,
    unit: 'micros',
    value: quantile(sorted, 0.5),
    ...(sorted.length >= SAMPLES_FOR_P99 ? {p99: quantile(sorted, 0.99)} : {}),
    ...(limits === undefined ? {} : {limits}),
  };
}

export const limit = (name: string, samples: readonly number[]): Figure => ({
  ...time(name, samples),
  isLimit: true,
});

export const median = (samples: readonly number[]): number =>
  quantile(
    samples.toSorted((a, b) => a - b),
    0.5,
  );

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
