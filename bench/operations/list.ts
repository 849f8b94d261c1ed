import {databasePath} from '../../src/adapters/sqlite/data-file.ts';
import type {NodeQuery} from '../../src/domain/query/node-query.ts';
import type {ReadPoint} from '../../src/ports/graph-store.ts';
import type {Bench, Family} from '../bench.ts';
import {openRaw} from '../limits/raw-database.ts';
import {rangeReader} from '../limits/raw-reads.ts';
import type {Figure} from '../measure.ts';
import {limit, time, timedSync} from '../measure.ts';
import type {Ask} from '../passes.ts';
import {coldPasses, knownRounds, points} from '../passes.ts';

const SCAN = 'raw range scan of 50 rows';
const PARSE = 'JSON.parse of 50 documents';
const LIMIT = 50;
const ASKS = 20;
const PASSES = 12;

export const list: Family = {
  name: 'list',
  async run(bench) {
    const {lists} = bench.data;
    const figures: Figure[] = [...rawRanges(bench)];
    for (const [name, point] of Object.entries(points(bench))) {
      const asks = (pass: number): readonly Ask[] =>
        Array.from({length: ASKS - 1}, (_, place) =>
          ask(point, lists[(1 + pass * ASKS + place) % lists.length]!),
        );
      const samples = await coldPasses(bench, PASSES, asks, ask(point, lists[0]!));
      figures.push(time(`first 50, filter + order, ${name}`, samples, [SCAN, PARSE]));
    }
    const known = lists.slice(0, ASKS).map(query => ask(points(bench).main, query));
    figures.push(time('first 50, filter + order, main, known', await knownRounds(bench, known)));
    return figures;
  },
};

export const ask =
  (point: ReadPoint, query: NodeQuery): Ask =>
  async store =>
    (await store.snapshot(point)).query(query);

function rawRanges({data, folder}: Bench): readonly Figure[] {
  const database = openRaw(databasePath(folder));
  const range = rangeReader(database, data);
  const {lists} = data;
  const scans = timedSync(round => range(lists[round % lists.length]!, LIMIT), {roundsMax: 1_000});
  const pages = lists.map(query => range(query, LIMIT).map(row => row[1]));
  const parses = timedSync(round => pages[round % pages.length]!.map(text => JSON.parse(text)));
  const documents = pages.map(page => page.map(text => JSON.parse(text) as unknown));
  const writes = timedSync(round => JSON.stringify(documents[round % documents.length]));
  database.close();
  return [limit(SCAN, scans), limit(PARSE, parses), limit('JSON.stringify of 50 documents', writes)];
}
