import type {Bench, StoreFamily} from '../bench.ts';
import type {Figure} from '../measure.ts';
import {limit, time, timedSync} from '../measure.ts';
import type {Ask} from '../passes.ts';
import {coldPasses, knownRounds, raw} from '../passes.ts';

const READS = 'raw reads of the states that a diff compares';
const PARSE = 'JSON.parse of the states that a diff compares';
const PASSES = 4;

export const diff: StoreFamily = {
  name: 'diff',
  on: 'data set',
  async run(bench) {
    const asks = (verb: 'diff' | 'threeWay'): readonly Ask[] =>
      bench.built.branches.map(branch => ({
        ask: store => (verb === 'diff' ? store.diff({branch}) : store.threeWay(branch)),
        touch: reads => reads.states(reads.changed(branch)),
      }));
    const figures: Figure[] = [...rawStates(bench)];
    for (const [verb, name] of [['diff', 'diff'] as const, ['threeWay', 'three-way'] as const]) {
      const cold = await coldPasses(bench, PASSES, () => asks(verb));
      figures.push(time(`${name} of 2,000 changes`, cold, [READS, PARSE]));
      figures.push(time(`${name} of 2,000 changes, known`, await knownRounds(bench, asks(verb))));
    }
    return figures;
  },
};

const rawStates = (bench: Bench): readonly Figure[] =>
  raw(bench, reads => {
    const lists = bench.built.branches.map(branch => reads.changed(branch));
    const texts = lists.map(list => reads.states(list));
    const rounds = {warmUp: 10, roundsMax: 100};
    const samples = timedSync(round => reads.states(lists[round % lists.length]!), rounds);
    const parses = timedSync(round => texts[round % texts.length]!.map(text => JSON.parse(text)), rounds);
    return [limit(READS, samples), limit(PARSE, parses)];
  });
