import type {Bench, StoreFamily} from '../bench.ts';
import type {Figure} from '../measure.ts';
import {limit, time, timed, timedSync} from '../measure.ts';
import {points, raw} from '../passes.ts';

const SCAN = 'raw count of the index entries';

export const count: StoreFamily = {
  name: 'count',
  on: 'data set',
  async run(bench) {
    const figures: Figure[] = [rawCount(bench)];
    const store = await bench.open();
    const query = {kind: bench.data.counted, count: true, nodes: false};
    for (const [name, point] of Object.entries(points(bench))) {
      const samples = await timed(async () => (await store.snapshot(point)).query(query), {warmUp: 10});
      figures.push(time(`count of a kind of N / 10, ${name}`, samples, [SCAN]));
    }
    await store.close();
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
