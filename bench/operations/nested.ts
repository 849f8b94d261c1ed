import {databasePath} from '../../src/adapters/sqlite/data-file.ts';
import type {Bench, Family} from '../bench.ts';
import {openRaw} from '../limits/raw-database.ts';
import {peerReader, rangeReader} from '../limits/raw-reads.ts';
import type {Figure} from '../measure.ts';
import {limit, time, timedSync} from '../measure.ts';
import {coldPasses, knownRounds, points} from '../passes.ts';
import {ask} from './list.ts';

const READS = 'raw statements of nested 50 x 1 x 10';
const PARSE = 'JSON.parse of the nested documents';
const ASKS = 6;
const PASSES = 25;

export const nested: Family = {
  name: 'nested',
  async run(bench) {
    const {main, branch} = points(bench);
    const queries = bench.data.nested;
    const cold = (point: typeof main) =>
      coldPasses(
        bench,
        PASSES,
        pass =>
          Array.from({length: ASKS}, (_, place) =>
            ask(point, queries[(1 + pass * ASKS + place) % queries.length]!),
          ),
        ask(point, queries[0]!),
      );
    const known = queries.slice(0, ASKS).map(query => ask(main, query));
    await expectShape(bench);
    return [
      ...rawLevels(bench),
      time('nested 50 x 1 x 10, main', await cold(main), [READS, PARSE]),
      time('nested 50 x 1 x 10, branch', await cold(branch), [READS, PARSE]),
      time('nested 50 x 1 x 10, main, known', await knownRounds(bench, known)),
      time('nested 50 x 1 x 10, main, known, by a read worker', await knownRounds(bench, known, 1)),
    ];
  },
};

/** The figures mean nothing when the answers are of another size. */
async function expectShape(bench: Bench): Promise<void> {
  const store = await bench.open();
  const {found} = await (await store.snapshot(points(bench).main)).query(bench.data.nested[0]!);
  const children = found.map(item => item.included[0]?.found[0]?.included[0]?.found.length);
  if (children.length !== 50 || children.some(count => count !== 10)) {
    throw new Error(`the nested answer is not 50 x 1 x 10: ${children.join()}`);
  }
  await store.close();
}

function rawLevels(bench: Bench): readonly Figure[] {
  const database = openRaw(databasePath(bench.folder));
  const range = rangeReader(database, bench.data);
  const peers = peerReader(database, bench);
  const lists = bench.data.lists.filter(query => bench.data.nested.some(item => item.kind === query.kind));
  const [parent, children] = bench.data.nestedPath;
  const levels = (round: number) => {
    const top = range(lists[round % lists.length]!, 50);
    const parents = peers(
      parent,
      top.map(row => row[0]),
    );
    const leaves = peers(children, [...new Set(parents.map(row => row[0]))]);
    return [...top, ...parents, ...leaves].map(row => row[1]);
  };
  const reads = timedSync(levels, {roundsMax: 500});
  const answers = lists.map((_, round) => levels(round));
  const parses = timedSync(round => answers[round % answers.length]!.map(text => JSON.parse(text)));
  database.close();
  return [limit(READS, reads), limit(PARSE, parses)];
}
