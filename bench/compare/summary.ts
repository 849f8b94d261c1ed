import {formatValue, table} from '../report/format.ts';
import type {Verdict} from './verdict.ts';

/** What changed, the worst first, and how much of it was looked at. */
export function summary(verdicts: readonly Verdict[], before: string, after: string): string {
  const of = (is: Verdict['is']) => verdicts.filter(verdict => verdict.is === is);
  const [slower, faster] = [of('slower'), of('faster')];
  const runs = Math.min(...verdicts.map(verdict => Math.min(verdict.before.length, verdict.after.length)));
  const parts = [
    `${verdicts.length} figures, ${runs} runs of each side: ${slower.length} slower, ${faster.length} faster by more than 10 % beyond the noise.`,
  ];
  for (const [title, some] of [
    ['Slower', slower.toSorted((a, b) => b.times - a.times)],
    ['Faster', faster.toSorted((a, b) => a.times - b.times)],
  ] as const) {
    if (some.length === 0) continue;
    const rows = some.map(verdict => [
      verdict.name,
      shown(verdict, verdict.before),
      shown(verdict, verdict.after),
      `${verdict.times.toFixed(2)}x`,
      `${(100 * verdict.noise).toFixed(0)} %`,
    ]);
    parts.push(`${title}:`, table(['figure', before, after, 'time', 'spread of the runs'], rows));
  }
  return parts.join('\n\n');
}

/** The middle of the runs in the unit of the figure; rates were kept as times. */
function shown({unit}: Verdict, values: readonly number[]): string {
  const value = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  return formatValue(unit, unit === 'perSecond' ? 1e6 / value : value);
}
