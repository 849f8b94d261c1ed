import type {ReadPoint} from '../../src/ports/graph-store.ts';
import type {Bench, StoreFamily} from '../bench.ts';
import type {Figure} from '../measure.ts';
import {limit, time, timedSync} from '../measure.ts';
import {asked, coldPasses, knownDocuments, knownRounds, points, raw} from '../passes.ts';

const READS = 'raw statements of nested 50 x 1 x 10';
const PARSE = 'JSON.parse of the nested documents';
const ASKS = 6;
const PASSES = 25;

export const nested: StoreFamily = {
  name: 'nested',
  on: 'data set',
  async run(bench) {
    await expectShape(bench);
    const {main, branch} = points(bench);
    const asks = (point: ReadPoint) =>
      bench.data.nested.map(query => asked(point, query, reads => reads.nested(query)));
    const cold = (point: ReadPoint) => {
      const all = asks(point);
      const pages = (pass: number) =>
        Array.from({length: ASKS}, (_, place) => all[(1 + pass * ASKS + place) % all.length]!);
      return coldPasses(bench, PASSES, pages, all[0]);
    };
    const known = asks(main).slice(0, ASKS);
    return [
      ...rawLevels(bench),
      time('nested 50 x 1 x 10, main', await cold(main), [READS, PARSE]),
      time('nested 50 x 1 x 10, branch', await cold(branch), [READS, PARSE]),
      time('nested 50 x 1 x 10, main, documents known', await knownDocuments(bench, known)),
      time(
        'nested 50 x 1 x 10, main, documents known, by a read worker',
        await knownDocuments(bench, known, 1),
      ),
      time('nested 50 x 1 x 10, main, known', await knownRounds(bench, known)),
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

const rawLevels = (bench: Bench): readonly Figure[] =>
  raw(bench, reads => {
    const queries = bench.data.nested;
    const answers = queries.map(query => reads.nested(query));
    if (answers[0]!.length < 150) throw new Error('the raw statements read another answer');
    const samples = timedSync(round => reads.nested(queries[round % queries.length]!), {roundsMax: 500});
    const parses = timedSync(round => answers[round % answers.length]!.map(text => JSON.parse(text)));
    return [limit(READS, samples), limit(PARSE, parses)];
  });
