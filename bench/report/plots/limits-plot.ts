import {type Section, timesLimit} from '../section.ts';
import {logScale} from './scale.ts';
import {bar, line, svg, text, widest, widthOf} from './svg.ts';

const ROW = 20;
const BAR = 13;
const TOP = 64;
const PLOT = 420;
const GAP = 12;

interface Ratio {
  readonly name: string;
  readonly times: number;
}

/** How many times its limit each operation takes, on the largest size that was measured. */
export function limitsPlot(sections: readonly Section[]): string | undefined {
  const groups = sections
    .map(({title, runs}) => ({
      title,
      size: runs.at(-1)?.size ?? 0,
      ratios: ratiosOf(runs.at(-1)?.figures ?? []),
    }))
    .filter(({ratios}) => ratios.length > 0);
  if (groups.length === 0) return undefined;
  const all = groups.flatMap(({ratios}) => ratios);
  const left = GAP + widest(all.map(({name}) => name)) + GAP;
  const right = left + PLOT;
  const scale = logScale(
    all.map(({times}) => times),
    left,
    right,
  );
  const title = 'Times the raw work that it cannot do without (1 would be free; shorter is better)';
  const parts = [text(GAP, 24, title, 'title')];
  const rows: string[] = [];
  let y = TOP;
  for (const {title: name, size, ratios} of groups) {
    rows.push(text(GAP, y + 4, `${name}, ${size.toLocaleString('en-US')} objects`, 'head'));
    y += ROW;
    for (const ratio of ratios) {
      const [from, to] = [scale.at(Math.min(1, ratio.times)), scale.at(Math.max(1, ratio.times))];
      rows.push(text(left - GAP / 2, y + 4, ratio.name, 'end'));
      rows.push(bar(from, y - BAR / 2, to - from, BAR, ratio.times <= 1 ? 'c2' : 'c0'));
      rows.push(text(to + 5, y + 4, ratio.times.toFixed(2), 'quiet'));
      y += ROW;
    }
    y += ROW / 2;
  }
  for (const tick of scale.ticks) {
    const x = scale.at(tick);
    parts.push(line(x, TOP - 16, x, y - ROW, tick === 1 ? 'mark' : 'grid'));
    parts.push(text(x, TOP - 22, `${tick}x`, 'quiet middle'));
  }
  return svg(Math.max(right + 60, widthOf(title) * 1.35), y, title, [...parts, ...rows]);
}

const ratiosOf = (figures: Section['runs'][number]['figures']): readonly Ratio[] =>
  figures.flatMap(figure => {
    const times = timesLimit(figures, figure);
    return times === undefined || !Number.isFinite(times) ? [] : [{name: figure.name, times}];
  });
