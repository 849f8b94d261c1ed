import type {Bench, StoreFamily} from '../bench.ts';
import type {Figure} from '../measure.ts';
import {limit, time, timedSync} from '../measure.ts';
import {asked, coldPasses, knownRounds, points, raw} from '../passes.ts';

const SCAN = 'raw count of the index entries';
const PASSES = 40;

export const count: StoreFamily = {
  name: 'count',
  on: 'data set',
  async run(bench) {
    const figures: Figure[] = [rawCount(bench)];
    const {kinds, counted} = bench.data;
    const query = {kind: counted, count: true, nodes: false};
    const another = {...query, kind: kinds.find(({shape}) => shape.name !== counted)!.shape.name};
    for (const [name, point] of Object.entries(points(bench))) {
      const ask = asked(point, query, reads => reads.count(counted));
      const first = asked(point, another, reads => reads.count(another.kind));
      const samples = await coldPasses(bench, PASSES, () => [ask], first);
      figures.push(time(`count of a kind of N / 10, ${name}`, samples, [SCAN]));
      if (name !== 'main') continue;
      figures.push(time('count of a kind of N / 10, main, known', await knownRounds(bench, [ask])));
    }
    return figures;
  },
};

const rawCount = (bench: Bench): Figure =>
  raw(bench, reads =>
    limit(
      SCAN,
      timedSync(() => reads.count(bench.data.counted), {warmUp: 10}),
    ),
  );
