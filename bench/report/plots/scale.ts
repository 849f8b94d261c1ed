/** Where a value lies on an axis on which equal steps are equal factors. */
export interface Scale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

const STEPS = [1, 2, 5] as const;
const TICKS_MAX = 8;

const isPowerOfTen = (value: number): boolean => Number.isInteger(Math.log10(value));

/** An axis from `from` to `to` in pixels with room for all the values, ending in round numbers. */
export function logScale(values: readonly number[], from: number, to: number): Scale {
  const usable = values.filter(value => Number.isFinite(value) && value > 0);
  const [least, most] = [Math.min(1, ...usable), Math.max(1, ...usable)];
  const all = roundNumbers(least, most);
  const low = all.findLast(value => value <= least) ?? all[0]!;
  const high = all.find(value => value >= most && value > low) ?? all.at(-1)!;
  const within = all.filter(value => value >= low && value <= high);
  const ticks = within.length > TICKS_MAX ? within.filter(isPowerOfTen) : within;
  const at = (value: number) => from + ((to - from) * Math.log(value / low)) / Math.log(high / low);
  return {ticks, at};
}

function roundNumbers(least: number, most: number): readonly number[] {
  const [first, last] = [Math.floor(Math.log10(least)) - 1, Math.ceil(Math.log10(most)) + 1];
  const numbers: number[] = [];
  for (let power = first; power <= last; power += 1) {
    // A negative power of ten is not exact; dividing is.
    for (const step of STEPS) numbers.push(power < 0 ? step / 10 ** -power : step * 10 ** power);
  }
  return numbers;
}
