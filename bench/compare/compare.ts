import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {CACHE} from '../data-sets/build.ts';
import type {Section} from '../report/section.ts';
import {otherTree} from './other-tree.ts';
import {summary} from './summary.ts';
import {pairingsOf, type Verdict, verdictOn} from './verdict.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export interface Comparison {
  /** A git ref, or a JSON file that --save wrote. */
  readonly with: string;
  readonly repeats: number;
  /** What a run is asked for: names and flags. */
  readonly args: readonly string[];
}

type Runs = readonly (readonly Section[])[];

/** Prints what got slower or faster; true when nothing got slower. */
export function compare({with: other, repeats, args}: Comparison): boolean {
  const {before, after, name} = other.endsWith('.json')
    ? {before: savedRuns(other), after: alone(repeats, args), name: other}
    : inTurns(other, repeats, args);
  const verdicts = pairingsOf(before, after).map(verdictOn);
  if (verdicts.length === 0) throw new Error('nothing was measured on both sides');
  console.log(summary(verdicts, name, 'working tree'));
  return !verdicts.some(({is}: Verdict) => is === 'slower');
}

/** Results of one run or of several, as --save wrote them. */
export const savedRuns = (file: string): Runs => JSON.parse(readFileSync(file, 'utf8')) as Runs;

/** Both sides again and again, and each time the other one first, so that neither has the quieter machine. */
function inTurns(ref: string, repeats: number, args: readonly string[]) {
  const {folder, commit} = otherTree(ref);
  const sides = {before: [] as (readonly Section[])[], after: [] as (readonly Section[])[]};
  try {
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const order = repeat % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const);
      for (const side of order) {
        console.error(`run ${repeat + 1} of ${repeats}: ${side === 'before' ? ref : 'working tree'}`);
        sides[side].push(...measured(side === 'before' ? folder : ROOT, args));
      }
    }
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
  return {...sides, name: `${ref} (${commit})`};
}

const alone = (repeats: number, args: readonly string[]): Runs =>
  Array.from({length: repeats}, () => measured(ROOT, args)).flat();

/** One run in a process of its own, as everybody starts it. */
function measured(folder: string, args: readonly string[]): Runs {
  const results = join(CACHE, 'results');
  mkdirSync(results, {recursive: true});
  const file = join(results, `run-${process.pid}.json`);
  const {status, stderr} = spawnSync(process.execPath, ['bench/main.ts', ...args, '--save', file], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`the benchmarks fail in ${folder}: ${stderr.slice(-3_000)}`);
  const runs = savedRuns(file);
  rmSync(file);
  return runs;
}
