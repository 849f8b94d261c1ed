import {expect, test} from 'vitest';
import type {Found} from '../../../ports/graph-store.ts';
import type {Listing} from '../meaning.ts';
import {type ConnectionField, ConnectionWriter} from './connection-writer.ts';
import type {WriteRun, Writer} from './write-run.ts';

const RUN = {} as WriteRun;

const listing = (rows: number): Listing => ({
  page: {
    found: Array.from({length: rows}, () => ({included: []}) as unknown as Found),
    count: rows,
    hasMore: false,
  },
  kind: 'TestTag',
  hasPrevious: false,
  orderTag: '',
});

const fields = (edge: Writer): readonly ConnectionField[] => [
  {prefix: '{"count":', write: source => String((source as Listing).page.count)},
  {prefix: ',"edges":', edges: ({page}) => page.found.map(found => ({found, orderTag: ''})), edge},
];

const textOf = (rows: number) => `{"count":${rows},"edges":[${Array(rows).fill('1').join()}]}`;

test('a short list is written at once', () => {
  expect(new ConnectionWriter(fields(() => '1')).write(listing(3), RUN)).toBe(textOf(3));
  expect(new ConnectionWriter([]).write(listing(3), RUN)).toBe('{}');
});

test('while a long list is written others have their turns', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  });
  const slow = () => {
    const until = performance.now() + 0.1;
    while (performance.now() < until);
    return '1';
  };
  expect(await new ConnectionWriter(fields(slow)).write(listing(600), RUN)).toBe(textOf(600));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});
