import {databasePath} from '../../src/adapters/sqlite/data-file.ts';
import type {Bench, Family} from '../bench.ts';
import {idOf} from '../data/data-set.ts';
import {openRaw} from '../limits/raw-database.ts';
import {pointReader} from '../limits/raw-reads.ts';
import type {Figure} from '../measure.ts';
import {limit, time, timed, timedSync} from '../measure.ts';
import {points} from '../passes.ts';

const POINT_READ = 'raw point read';
const PARSE_ONE = 'JSON.parse of one document';
/** Prime to every size, so that its multiples meet every object before any twice. */
const STRIDE = 7919;
const APART = 5_000;

export const get: Family = {
  name: 'get',
  async run(bench) {
    const figures: Figure[] = [...rawPoints(bench)];
    const id = (round: number) => idOf((round * STRIDE) % bench.size);
    for (const [place, [name, point]] of Object.entries(points(bench)).entries()) {
      const store = await bench.open();
      const samples = await timed(async round =>
        (await store.snapshot(point)).node(id(place * APART + round)),
      );
      figures.push(time(`get by id, ${name}`, samples, [POINT_READ, PARSE_ONE]));
      await store.close();
    }
    const store = await bench.open();
    const {main} = points(bench);
    const known = await timed(async round => (await store.snapshot(main)).node(id(round % 500)), {
      warmUp: 1_000,
    });
    figures.push(time('get by id, main, known', known, [POINT_READ]));
    const snapshot = await store.snapshot(main);
    const open = await timed(round => snapshot.node(id(round % 500)), {warmUp: 1_000});
    figures.push(time('get by id, main, known, in an open snapshot', open, [POINT_READ]));
    await store.close();
    return figures;
  },
};

function rawPoints({folder, size}: Bench): readonly Figure[] {
  const database = openRaw(databasePath(folder));
  const reader = pointReader(database);
  const reads = timedSync(round => reader(idOf((round * STRIDE) % size)));
  const texts = Array.from({length: 1_000}, (_, round) => reader(idOf((round * STRIDE) % size)));
  const parses = timedSync(round => JSON.parse(texts[round % texts.length]!), {warmUp: 500});
  const documents = texts.map(text => JSON.parse(text) as unknown);
  const writes = timedSync(round => JSON.stringify(documents[round % documents.length]), {warmUp: 500});
  database.close();
  return [
    limit(POINT_READ, reads),
    limit(PARSE_ONE, parses),
    limit('JSON.stringify of one document', writes),
  ];
}
