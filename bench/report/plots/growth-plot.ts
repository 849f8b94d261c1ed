import {growthOf} from '../report.ts';
import {find, type Section, worth} from '../section.ts';
import {logScale} from './scale.ts';
import {COLOURS, dot, line, path, svg, text, widthOf} from './svg.ts';

const PANEL = 390;
const HEIGHT = 130;
const COLUMNS = 2;
const GAP = 36;
const LINE = 17;
const TOP = 56;

interface Line {
  readonly name: string;
  readonly exponent: number;
  readonly points: readonly (readonly [size: number, times: number])[];
}

interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** How the time of each operation grows with the data, as a multiple of that on the smallest size. */
export function growthPlot(sections: readonly Section[]): string | undefined {
  const panels = sections.flatMap(panelsOf);
  if (panels.length === 0) return undefined;
  const title = 'Growth with the data: time as a multiple of that on the smallest size (flat is better)';
  const parts = [text(GAP, 24, title, 'title')];
  let y = TOP;
  for (let from = 0; from < panels.length; from += COLUMNS) {
    const row = panels.slice(from, from + COLUMNS);
    for (const [column, panel] of row.entries()) {
      parts.push(...panelParts(panel, GAP + column * (PANEL + 2 * GAP), y));
    }
    y += HEIGHT + 52 + Math.max(...row.map(({lines}) => lines.length)) * LINE;
  }
  const width = Math.max(COLUMNS * (PANEL + 2 * GAP), widthOf(title) * 1.35);
  return svg(width, y, title, parts);
}

function panelsOf(section: Section): readonly Panel[] {
  if (section.runs.length < 2) return [];
  const families = new Map<string, Line[]>();
  const names = new Set<string>();
  for (const {figures} of section.runs) {
    for (const {name, family = '', isLimit, beside, unit} of figures) {
      if (names.has(name) || isLimit === true || beside !== undefined || unit === 'bytes') continue;
      names.add(name);
      const found = lineOf(section, name);
      if (found !== undefined) families.set(family, [...(families.get(family) ?? []), found]);
    }
  }
  return [...families].flatMap(([family, lines]) => {
    const several = Array.from({length: Math.ceil(lines.length / COLOURS)}, (_, part) =>
      lines.slice(part * COLOURS, (part + 1) * COLOURS),
    );
    return several.map(some => ({title: `${section.title}: ${family}`, lines: some}));
  });
}

function lineOf(section: Section, name: string): Line | undefined {
  const points = section.runs.flatMap(({size, figures}) => {
    const figure = find(figures, name);
    return figure === undefined ? [] : [[size, worth(figure)] as const];
  });
  const exponent = growthOf(section, name);
  if (points.length < 2 || exponent === undefined) return undefined;
  const [, first] = points[0]!;
  return {name, exponent, points: points.map(([size, value]) => [size, value / first])};
}

function panelParts({title, lines}: Panel, left: number, top: number): readonly string[] {
  const sizes = [...new Set(lines.flatMap(({points}) => points.map(([size]) => size)))].sort((a, b) => a - b);
  const [least, most] = [sizes[0]!, sizes.at(-1)!];
  const x = (size: number) => left + (PANEL * Math.log(size / least)) / Math.log(most / least);
  const values = lines.flatMap(({points}) => points.map(([, times]) => times));
  // Room for a factor of two each way: noise must not look like growth.
  const scale = logScale([...values, 0.5, 2], top + HEIGHT, top);
  const parts = [text(left, top - 10, title, 'head')];
  for (const tick of scale.ticks) {
    parts.push(line(left, scale.at(tick), left + PANEL, scale.at(tick), tick === 1 ? 'mark' : 'grid'));
    parts.push(text(left - 5, scale.at(tick) + 4, `${tick}x`, 'end quiet'));
  }
  for (const size of sizes) {
    const words = size >= 1e6 ? `${size / 1e6}M` : `${size / 1e3}k`;
    parts.push(text(x(size), top + HEIGHT + 16, words, 'middle quiet'));
  }
  for (const [place, {name, exponent, points}] of lines.entries()) {
    const placed = points.map(([size, times]) => [x(size), scale.at(times)] as const);
    parts.push(path(placed, `line l${place}`));
    parts.push(...placed.map(([px, py]) => dot(px, py, `c${place}`)));
    const y = top + HEIGHT + 34 + place * LINE;
    parts.push(dot(left + 4, y - 4, `c${place}`), text(left + 14, y, `${name}: ${exponent.toFixed(2)}`));
  }
  return parts;
}
