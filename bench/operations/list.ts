import type {Bench, StoreFamily} from '../bench.ts';
import type {Figure} from '../measure.ts';
import {limit, time, timedSync} from '../measure.ts';
import {asked, coldPasses, knownDocuments, knownRounds, points, raw} from '../passes.ts';

const SCAN = 'raw range scan of 50 rows';
const PARSE = 'JSON.parse of 50 documents';
const LIMIT = 50;
const ASKS = 20;
const PASSES = 12;

export const list: StoreFamily = {
  name: 'list',
  on: 'data set',
  async run(bench) {
    const {lists} = bench.data;
    const figures: Figure[] = [...rawRanges(bench)];
    for (const [name, point] of Object.entries(points(bench))) {
      const asks = lists.map(query => asked(point, query, reads => reads.range(query, LIMIT)));
      const pages = (pass: number) =>
        Array.from({length: ASKS - 1}, (_, place) => asks[(1 + pass * ASKS + place) % asks.length]!);
      const samples = await coldPasses(bench, PASSES, pages, asks[0]);
      figures.push(time(`first 50, filter + order, ${name}`, samples, [SCAN, PARSE]));
      if (name !== 'main') continue;
      const known = asks.slice(0, ASKS);
      figures.push(
        time('first 50, filter + order, main, documents known', await knownDocuments(bench, known)),
        time('first 50, filter + order, main, known', await knownRounds(bench, known)),
      );
    }
    return figures;
  },
};

const rawRanges = (bench: Bench): readonly Figure[] =>
  raw(bench, reads => {
    const {lists} = bench.data;
    const pages = lists.map(query => reads.range(query, LIMIT).map(row => row[1]));
    const scans = timedSync(round => reads.range(lists[round % lists.length]!, LIMIT), {roundsMax: 1_000});
    const parses = timedSync(round => pages[round % pages.length]!.map(text => JSON.parse(text)));
    const documents = pages.map(page => page.map(text => JSON.parse(text) as unknown));
    const writes = timedSync(round => JSON.stringify(documents[round % documents.length]));
    return [limit(SCAN, scans), limit(PARSE, parses), limit('JSON.stringify of 50 documents', writes)];
  });
