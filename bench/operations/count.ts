import {databasePath} from '../../src/adapters/sqlite/data-file.ts';
import type {Bench, Family} from '../bench.ts';
import {openRaw} from '../limits/raw-database.ts';
import {memberCounter} from '../limits/raw-reads.ts';
import type {Figure} from '../measure.ts';
import {limit, time, timed, timedSync} from '../measure.ts';
import {points} from '../passes.ts';

const SCAN = 'raw count of the index entries';

export const count: Family = {
  name: 'count',
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

function rawCount({data, folder}: Bench): Figure {
  const database = openRaw(databasePath(folder));
  const counter = memberCounter(database, data);
  const samples = timedSync(() => counter(data.counted), {warmUp: 10});
  database.close();
  return limit(SCAN, samples);
}
