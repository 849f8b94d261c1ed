import type {Figure} from '../measure.ts';

export interface SizedRun {
  readonly size: number;
  readonly figures: readonly Figure[];
}

/** What was measured on one thing, by its size. */
export interface Section {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly runs: readonly SizedRun[];
}

export const find = (figures: readonly Figure[] | undefined, name: string): Figure | undefined =>
  figures?.find(figure => figure.name === name);

/** A rate as a time, so that more always means slower. */
export const worth = ({unit, value}: Figure): number => (unit === 'perSecond' ? 1e6 / value : value);

/** How many times the limit something takes; for rates, how many times slower it is. */
export function timesLimit(figures: readonly Figure[], figure: Figure): number | undefined {
  const limits = figure.limits?.map(name => find(figures, name));
  if (limits === undefined || limits.length === 0 || limits.includes(undefined)) return undefined;
  const whole = limits.reduce((sum, limit) => sum + worth(limit!), 0);
  return worth(figure) / whole;
}
