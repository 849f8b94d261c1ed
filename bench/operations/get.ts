import type {NodeId} from '../../src/domain/graph/node-id.ts';
import type {Bench, StoreFamily} from '../bench.ts';
import {wallMicros} from '../clock.ts';
import {idOf} from '../data-sets/data-set.ts';
import type {Figure} from '../measure.ts';
import {limit, time, timed, timedSync} from '../measure.ts';
import {points, raw, touchAll} from '../passes.ts';

const POINT_READ = 'raw point read';
const PARSE_ONE = 'JSON.parse of one document';
/** Prime to every size, so that its multiples meet every object before any twice. */
const STRIDE = 7919;
const APART = 5_000;
/** The first thousand only let the engine compile what is measured, as it has on a store that has been up for a while. */
const FINE = {clock: wallMicros, warmUp: 1_000} as const;
const KNOWN_IDS = 500;
const KNOWN = {...FINE, warmUp: 2 * KNOWN_IDS};

export const get: StoreFamily = {
  name: 'get',
  on: 'data set',
  async run(bench) {
    const figures: Figure[] = [...rawPoints(bench)];
    for (const [place, [name, point]] of Object.entries(points(bench)).entries()) {
      const ids = idsFrom(place * APART, bench.size);
      const store = await bench.open();
      touchAll(bench, store, [{touch: reads => ids.map(id => reads.point(id))}]);
      const samples = await timed(async round => (await store.snapshot(point)).node(ids[round]!), FINE);
      figures.push(time(`get by id, ${name}`, samples, [POINT_READ, PARSE_ONE]));
      await store.close();
    }
    const ids = idsFrom(0, bench.size).slice(0, KNOWN_IDS);
    const store = await bench.open();
    const {main} = points(bench);
    const known = await timed(
      async round => (await store.snapshot(main)).node(ids[round % KNOWN_IDS]!),
      KNOWN,
    );
    figures.push(time('get by id, main, known', known, [POINT_READ]));
    const snapshot = await store.snapshot(main);
    const open = await timed(round => snapshot.node(ids[round % KNOWN_IDS]!), KNOWN);
    figures.push(time('get by id, main, known, in an open snapshot', open, [POINT_READ]));
    await store.close();
    return figures;
  },
};

const idsFrom = (first: number, size: number): readonly NodeId[] =>
  Array.from({length: APART}, (_, round) => idOf(((first + round) * STRIDE) % size));

const rawPoints = (bench: Bench): readonly Figure[] =>
  raw(bench, reads => {
    const ids = idsFrom(0, bench.size);
    const texts = ids.map(id => reads.point(id));
    const samples = timedSync(round => reads.point(ids[round]!), FINE);
    const parses = timedSync(round => JSON.parse(texts[round % KNOWN_IDS]!), KNOWN);
    const documents = texts.map(text => JSON.parse(text) as unknown);
    const writes = timedSync(round => JSON.stringify(documents[round % KNOWN_IDS]), KNOWN);
    return [
      limit(POINT_READ, samples),
      limit(PARSE_ONE, parses),
      limit('JSON.stringify of one document', writes),
    ];
  });
