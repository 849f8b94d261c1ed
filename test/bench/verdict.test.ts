import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {summary} from '../../bench/compare/summary.ts';
import {pairingsOf, verdictOn} from '../../bench/compare/verdict.ts';
import type {Figure} from '../../bench/measure.ts';
import type {Section} from '../../bench/report/section.ts';

const verdict = (before: readonly number[], after: readonly number[]) =>
  verdictOn({name: 'get', unit: 'micros', before, after});

const section = (...figures: readonly Figure[]): readonly Section[] => [
  {name: 'layout', title: 'The layout set', description: 'objects', runs: [{size: 20_000, figures}]},
];

describe('the verdict on runs before and after', () => {
  test('is slower when the middle is more than a tenth up, and further than runs of one side lie apart', () => {
    expect(verdict([100, 101, 99, 102, 98], [115, 116, 114, 117, 113])).toMatchObject({
      is: 'slower',
      times: 1.15,
    });
  });

  test('is the same within a tenth, however quiet the machine was', () => {
    expect(verdict([100, 100, 100, 100, 100], [109, 109, 109, 109, 109]).is).toBe('same');
  });

  test('is the same when the runs of one side lie further apart than the sides', () => {
    expect(verdict([100, 180, 90, 170, 100], [120, 95, 175, 120, 160]).is).toBe('same');
  });

  test('is the same when few runs do not agree, even where the middles are apart', () => {
    expect(verdict([10, 12.5, 14], [14.4, 12.6, 16]).is).toBe('same');
  });

  test('survives one run of five that was disturbed', () => {
    expect(verdict([100, 101, 99, 102, 300], [200, 201, 202, 203, 204]).is).toBe('slower');
    expect(verdict([100, 101, 99, 102, 98], [100, 101, 99, 300, 98]).is).toBe('same');
  });

  test('is faster where the sides are exchanged, and never both', () => {
    const runs = fc.array(fc.integer({min: 1, max: 1_000}), {minLength: 1, maxLength: 9});
    const opposite = {slower: 'faster', faster: 'slower', same: 'same'} as const;
    fc.assert(
      fc.property(runs, runs, (before, after) => {
        expect(verdict(after, before).is).toBe(opposite[verdict(before, after).is]);
      }),
    );
  });

  test('finds no difference between a side and itself', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({min: 1, max: 1_000}), {minLength: 1, maxLength: 9}), runs => {
        expect(verdict(runs, runs).is).toBe('same');
      }),
    );
  });
});

describe('what is paired', () => {
  const get = {name: 'get', unit: 'micros', value: 10} as const;
  const rate = {name: 'creates', unit: 'perSecond', value: 1_000} as const;

  test('figures of the same name, section and size; rates as times', () => {
    const pairings = pairingsOf([section(get, rate)], [section({...get, value: 12}, {...rate, value: 500})]);
    expect(pairings).toEqual([
      {name: 'layout 20000  get', unit: 'micros', before: [10], after: [12]},
      {name: 'layout 20000  creates', unit: 'perSecond', before: [1_000], after: [2_000]},
    ]);
  });

  test('neither limits nor what peers did, nor what only one side has', () => {
    const limit = {name: 'raw', unit: 'micros', value: 5, isLimit: true} as const;
    const beside = {question: 'list', who: 'Peer', measure: 'speed'} as const;
    const peer = {name: 'peers, list: Peer', unit: 'perSecond', value: 5, beside} as const;
    const runs = [section(limit, peer, {...get, name: 'new'})];
    expect(pairingsOf([section(limit, peer)], runs)).toEqual([]);
  });

  test('the summary names the worst first, in the unit of the figure', () => {
    const slow = (name: string, factor: number) =>
      verdictOn({name, unit: 'perSecond', before: [1_000, 1_000], after: [1_000 * factor, 1_000 * factor]});
    const lines = summary([slow('creates', 2), slow('gets', 4), slow('lists', 1)], 'main', 'tree').split(
      '\n',
    );
    expect(lines[0]).toBe(
      '3 figures, 2 runs of each side: 2 slower, 0 faster by more than 10 % beyond the noise.',
    );
    expect(lines.filter(line => line.includes('/s'))).toEqual([
      '| gets | 1,000/s | 250/s | 4.00x | 0 % |',
      '| creates | 1,000/s | 500/s | 2.00x | 0 % |',
    ]);
  });
});
