import {describe, expect, test} from 'vitest';
import type {Figure} from '../../bench/measure.ts';
import {documents} from '../../bench/report/document.ts';
import {exponent} from '../../bench/report/growth.ts';
import {logScale} from '../../bench/report/plots/scale.ts';
import {escaped} from '../../bench/report/plots/svg.ts';
import {sectionText} from '../../bench/report/report.ts';
import {type Section, timesLimit} from '../../bench/report/section.ts';
import {isMet, targetsTable} from '../../bench/report/targets.ts';

const limit: Figure = {name: 'raw', unit: 'micros', value: 10, isLimit: true};
const get: Figure = {name: 'get', family: 'get', unit: 'micros', value: 25, p99: 40, limits: ['raw']};
const peers: readonly Figure[] = [
  ['Trellis', 600],
  ['PostGraphile 5', 150],
].map(([who, value]) => ({
  name: `peers, list: ${who}`,
  unit: 'perSecond',
  value: Number(value),
  beside: {question: 'list of 50, filter and order', who: String(who), measure: 'speed'},
}));

const section = (name: string, ...runs: readonly (readonly [number, readonly Figure[]])[]): Section => ({
  name,
  title: `The ${name} set`,
  description: 'Objects',
  runs: runs.map(([size, figures]) => ({size, figures})),
});

const circumstances = {command: 'npm run bench', loadBefore: '0.1', byProcessor: false, page: 'page'};

describe('ratios', () => {
  test('of a time to the limits that it cannot do without, added up', () => {
    const other = {...limit, name: 'parse', value: 15};
    expect(timesLimit([limit, other, get], {...get, limits: ['raw', 'parse']})).toBe(1);
    expect(timesLimit([limit, get], get)).toBe(2.5);
  });

  test('of a rate to its limit: how many times slower it is', () => {
    const raw: Figure = {name: 'raw', unit: 'perSecond', value: 900, isLimit: true};
    expect(timesLimit([raw], {name: 'load', unit: 'perSecond', value: 300, limits: ['raw']})).toBeCloseTo(3);
  });

  test('are absent where a limit was not measured', () => {
    expect(timesLimit([get], get)).toBeUndefined();
    expect(timesLimit([limit], {name: 'open', unit: 'micros', value: 1})).toBeUndefined();
  });
});

describe('growth', () => {
  test('is the exponent of what was measured', () => {
    expect(exponent([[10, 3], [100, 30], [1_000, 300]])).toBeCloseTo(1); // biome-ignore format: a table
    expect(exponent([[10, 3], [1_000, 3]])).toBeCloseTo(0); // biome-ignore format: a table
    expect(exponent([[10, 3]])).toBeUndefined();
  });
});

describe('tables', () => {
  test('show each operation at each size with its growth and its ratios; limits stand apart', () => {
    const text = sectionText(section('layout', [100, [limit, get]], [10_000, [limit, {...get, value: 250}]]));
    expect(text).toContain('| get | 25.0 µs (40.0 µs) | 250 µs (40.0 µs) | 0.50 | 2.50 | 25.00 |');
    expect(text).toContain('| raw | 10.0 µs | 10.0 µs | 0.00 |');
    expect(text).toContain('- get: raw');
  });

  test('set peers side by side, with how many times as fast we are', () => {
    const text = sectionText(section('service', [200_000, peers]));
    expect(text).toContain('| question | Trellis | PostGraphile 5 | Trellis / PostGraphile 5 |');
    expect(text).toContain('| list of 50, filter and order | 600/s | 150/s | 4.00 |');
  });

  test('say of each target whether it is met, and nothing of what was not measured', () => {
    const table = targetsTable([section('service', [200_000, peers])]);
    expect(table?.split('\n').slice(2)).toEqual([
      '| list of 50, times the answers of PostGraphile | at least 3 x | 4.00 x | met |',
    ]);
    expect(targetsTable([section('service', [20_000, peers])])).toBeUndefined();
    expect([isMet({wanted: {least: 60}}, 59), isMet({wanted: {most: 10}}, 10)]).toEqual([false, true]);
  });
});

describe('plots', () => {
  const sections = [
    section('layout', [100, [limit, get]], [1_000, [limit, get]]),
    section('service', [200_000, peers]),
  ];

  test('are written beside the page that shows them, and need nothing but themselves', () => {
    const files = documents(sections, circumstances);
    expect([...files.keys()]).toEqual(['page.md', 'page-limits.svg', 'page-peers.svg', 'page-growth.svg']);
    for (const [name, text] of files) {
      if (name === 'page.md') continue;
      expect(files.get('page.md')).toContain(`](${name})`);
      expect(text).toContain('prefers-color-scheme: dark');
      expect(text.match(/(?:href|src)=|url\(|@import|NaN|Infinity|undefined/g)).toBeNull();
    }
  });

  test('are left out where there is nothing to show', () => {
    const alone = [section('rest', [100, [{name: 'start', unit: 'micros', value: 1}]])];
    expect([...documents(alone, circumstances).keys()]).toEqual(['page.md']);
  });

  test('keep what words mean to a browser out of the picture', () => {
    expect(escaped('a < b & c')).toBe('a &lt; b &amp; c');
  });

  test('have an axis of round numbers around all values, where equal factors are equally far', () => {
    const scale = logScale([0.8, 37], 0, 100);
    expect(scale.ticks).toEqual([0.5, 1, 2, 5, 10, 20, 50]);
    expect([scale.at(0.5), scale.at(50)]).toEqual([0, 100]);
    expect(scale.at(5)).toBeCloseTo(50);
    expect(logScale([0.02, 3_000], 0, 100).ticks).toEqual([0.1, 1, 10, 100, 1_000]);
  });
});
