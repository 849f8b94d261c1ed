import {formatValue} from '../format.ts';
import {peerRows, whoOf} from '../peer-tables.ts';
import type {Section} from '../section.ts';
import {bar, svg, text, widest, widthOf} from './svg.ts';

const ROW = 18;
const BAR = 13;
const PLOT = 420;
const GAP = 12;
const TOP = 56;

/** Answers per second of everybody, each question on a scale of its own: the fastest fills it. */
export function peersPlot(sections: readonly Section[]): string | undefined {
  const run = sections.flatMap(({runs}) => runs).findLast(item => peerRows(item, 'speed').length > 0);
  if (run === undefined) return undefined;
  const rows = peerRows(run, 'speed');
  const who = whoOf(rows);
  const left = GAP + widest(who) + GAP;
  const title = `Answers per second, ${run.size.toLocaleString('en-US')} objects (longer is better)`;
  const parts = [text(GAP, 24, title, 'title')];
  let y = TOP;
  for (const {question, unit, values} of rows) {
    parts.push(text(left, y + 4, question, 'head'));
    y += ROW;
    const most = Math.max(...values.values());
    for (const [place, name] of who.entries()) {
      const value = values.get(name);
      if (value === undefined) continue;
      const width = (PLOT * value) / most;
      parts.push(text(left - GAP / 2, y + 4, name, 'end quiet'));
      parts.push(bar(left, y - BAR / 2, width, BAR, `c${place}`));
      parts.push(text(left + width + 5, y + 4, formatValue(unit, value), 'quiet'));
      y += ROW;
    }
    y += ROW / 2;
  }
  return svg(Math.max(left + PLOT + 90, widthOf(title) * 1.35), y, title, parts);
}
