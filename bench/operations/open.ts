import type {StoreFamily} from '../bench.ts';
import {idOf} from '../data-sets/data-set.ts';
import {time, timed} from '../measure.ts';
import {points} from '../passes.ts';

export const open: StoreFamily = {
  name: 'open',
  on: 'data set',
  async run(bench) {
    const samples = await timed(
      async round => {
        const store = await bench.open(1);
        await (await store.snapshot(points(bench).main)).node(idOf(round));
        await store.close();
      },
      {warmUp: 2, roundsMax: 20, millisMax: 10_000},
    );
    return [
      time('open, first get, close', samples),
      {name: 'size on disk', unit: 'bytes', value: bench.built.bytes},
      {name: 'size on disk, per node', unit: 'bytes', value: bench.built.bytes / bench.size},
    ];
  },
};
