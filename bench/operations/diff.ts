import type {Family} from '../bench.ts';
import {time} from '../measure.ts';
import {coldPasses, knownRounds} from '../passes.ts';

const PASSES = 4;

export const diff: Family = {
  name: 'diff',
  async run(bench) {
    const {branches} = bench.built;
    const diffs = branches.map(
      branch => (store: Awaited<ReturnType<typeof bench.open>>) => store.diff({branch}),
    );
    const ways = branches.map(
      branch => (store: Awaited<ReturnType<typeof bench.open>>) => store.threeWay(branch),
    );
    return [
      time('diff of 2,000 changes', await coldPasses(bench, PASSES, () => diffs)),
      time('diff of 2,000 changes, known', await knownRounds(bench, diffs)),
      time('three-way of 2,000 changes', await coldPasses(bench, PASSES, () => ways)),
      time('three-way of 2,000 changes, known', await knownRounds(bench, ways)),
    ];
  },
};
