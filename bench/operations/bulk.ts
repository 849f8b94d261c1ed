import {databasePath} from '../../src/adapters/sqlite/data-file.ts';
import type {StoreFamily} from '../bench.ts';
import {nowMicros} from '../clock.ts';
import {stepsFrom} from '../data-sets/build.ts';
import {writeSteps} from '../data-sets/data-set.ts';
import {replay, rowsWritten} from '../limits/raw-writes.ts';
import {median} from '../measure.ts';

const NODES = 10_000;
const LOADS = 3;
/** Past every number that the data set or another operation uses. */
const FIRST = 10_000_000;

/** Objects with their edges, 10,000 a commit, into a store that has N already. */
export const bulk: StoreFamily = {
  name: 'bulk',
  on: 'data set',
  async run(bench) {
    const {data, size} = bench;
    const store = await bench.open();
    const from = store.now();
    const rates: number[] = [];
    for (let load = 0; load < LOADS; load += 1) {
      const steps = [...stepsFrom(data, size + FIRST + load * NODES, NODES, size)];
      const start = nowMicros();
      await writeSteps(store, steps);
      rates.push((NODES * 1e6) / (nowMicros() - start));
    }
    await store.close();
    const rows = rowsWritten(databasePath(bench.folder), from);
    const raw = replay(bench.rawCopy(), rows, NODES).map(micros => (NODES * 1e6) / micros);
    const name = 'raw inserts of the same rows in one transaction';
    return [
      {name, unit: 'perSecond', value: median(raw), isLimit: true},
      {name: 'bulk load, nodes', unit: 'perSecond', value: median(rates), limits: [name]},
    ];
  },
};
