import type {Figure} from '../measure.ts';
import {type Section, worth} from '../report/section.ts';

/** Slower or faster than this counts, if it is no noise. */
const SHARE = 0.1;
/** In this share of all pairs of runs, one of each side, the same side must be the slower one. */
const AGREEMENT = 0.8;
/** From so many runs on, the oddest one does not count as noise. */
const RUNS_WITH_AN_ODD_ONE = 5;

/** The same thing measured several times on both sides, as times: less is better. */
export interface Pairing {
  readonly name: string;
  readonly unit: Figure['unit'];
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export interface Verdict extends Pairing {
  readonly is: 'slower' | 'faster' | 'same';
  /** The median after, as a multiple of the median before. */
  readonly times: number;
  /** How far runs of one side lie apart: the larger of both sides, as a share of the median. */
  readonly noise: number;
}

export function verdictOn(pairing: Pairing): Verdict {
  const {before, after} = pairing;
  const times = middle(after) / middle(before);
  const noise = Math.max(spread(before), spread(after));
  const is = isSlower(before, after, noise) ? 'slower' : isSlower(after, before, noise) ? 'faster' : 'same';
  return {...pairing, is, times, noise};
}

const isSlower = (one: readonly number[], two: readonly number[], noise: number): boolean =>
  middle(two) > (1 + Math.max(SHARE, noise)) * middle(one) && shareOfPairs(one, two) >= AGREEMENT;

/** In how many of all pairs the later side took longer; ties count half. */
function shareOfPairs(before: readonly number[], after: readonly number[]): number {
  let slower = 0;
  for (const one of before) for (const two of after) slower += two > one ? 1 : two === one ? 0.5 : 0;
  return slower / (before.length * after.length);
}

function spread(values: readonly number[]): number {
  const center = middle(values);
  const byDistance = values.toSorted((a, b) => Math.abs(a - center) - Math.abs(b - center));
  const counted = values.length < RUNS_WITH_AN_ODD_ONE ? byDistance : byDistance.slice(0, -1);
  return (Math.max(...counted) - Math.min(...counted)) / center;
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** What both sides measured, by section, size and name; limits are of the machine, and peers are not ours. */
export function pairingsOf(
  before: readonly (readonly Section[])[],
  after: readonly (readonly Section[])[],
): readonly Pairing[] {
  const [old, young] = [gathered(before), gathered(after)];
  return [...young].flatMap(([name, {unit, values}]) => {
    const other = old.get(name);
    return other === undefined ? [] : [{name, unit, before: other.values, after: values}];
  });
}

function gathered(runs: readonly (readonly Section[])[]) {
  const found = new Map<string, {unit: Figure['unit']; values: number[]}>();
  for (const section of runs.flat()) {
    for (const {size, figures} of section.runs) {
      for (const figure of figures) {
        if (figure.isLimit === true || (figure.beside !== undefined && figure.beside.who !== 'Trellis'))
          continue;
        const name = `${section.name} ${size}  ${figure.name}`;
        const entry = found.get(name) ?? {unit: figure.unit, values: []};
        entry.values.push(worth(figure));
        found.set(name, entry);
      }
    }
  }
  return found;
}
