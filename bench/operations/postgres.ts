import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {moveToPostgres} from '../../src/adapters/postgres/move-to-postgres.ts';
import {openPostgresGraphStore} from '../../src/adapters/postgres/open-postgres-store.ts';
import {startPostgres} from '../../src/adapters/postgres/postgres-server-harness.ts';
import type {GraphStore} from '../../src/ports/graph-store.ts';
import {branchName, chosen, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import type {MergeStore} from '../../src/ports/merge-store.ts';
import type {Bench, StoreFamily} from '../bench.ts';
import {wallMicros} from '../clock.ts';
import {stepsFrom} from '../data-sets/build.ts';
import {changeOf, idOf, writeSteps} from '../data-sets/data-set.ts';
import {type Figure, median, time, timed} from '../measure.ts';

const STRIDE = 7919;
const LIMIT = 50;
const NODES = 5_000;
const LOADS = 3;
const CHANGES = 100;
const AT_ONCE = 32;
const READS_AT_ONCE = 3_000;
/** Past every number that the data set or another operation uses. */
const FIRST = 20_000_000;
/** Past all of those that are made one by one. */
const FIRST_LOADED = 400_000_000;
/** The work is done in two processes and on a disk: only the wall's clock sees all of it. */
const WALL = {clock: wallMicros, warmUp: 100, roundsMax: 1_000, millisMax: 4_000};
const SLOW = {clock: wallMicros, warmUp: 2, roundsMax: 20, millisMax: 10_000};

/** The same operations on PostgreSQL, with its disk in order, and on the embedded store beside it. */
export const postgres: StoreFamily = {
  name: 'postgres',
  on: 'data set',
  isLong: true,
  async run(bench) {
    const embedded = await bench.open();
    const figures = await measured('embedded', bench, embedded, 0);
    await embedded.close();
    const server = await startPostgres({isDurable: true});
    try {
      const url = server.urlOf('postgres');
      await moveToPostgres({folder: bench.folder, url});
      const store = await openPostgresGraphStore({url, clock: systemClock});
      figures.push(...(await measured('PostgreSQL', bench, store, 1)));
      await store.close();
    } finally {
      await server.stop();
    }
    return figures;
  },
};

async function measured(
  engine: string,
  {data, size}: Bench,
  store: GraphStore & MergeStore,
  run: number,
): Promise<Figure[]> {
  const indexAt = (round: number) => (round * STRIDE) % size;
  const idAt = (round: number) => idOf(indexAt(round));
  const point = await timed(async round => (await store.snapshot({branch: MAIN})).node(idAt(round)), WALL);
  const list = await timed(async round => {
    const query = data.lists[round % data.lists.length]!;
    return (await store.snapshot({branch: MAIN})).query({...query, page: {limit: LIMIT, offset: 0}});
  }, WALL);
  const extra = (round: number) => data.extra(FIRST + run * 1_000_000 + round, size);
  const create = await timed(round => writeSteps(store, [extra(round)]), WALL);
  const update = await timed(
    round =>
      store.write(MAIN, SERVICE, draft => draft.update(idAt(round), changeOf(indexAt(round), round + 7))),
    WALL,
  );
  const rates: number[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    const steps = [...stepsFrom(data, size + FIRST_LOADED + (run * LOADS + load) * NODES, NODES, size)];
    const start = wallMicros();
    await writeSteps(store, steps);
    rates.push((NODES * 1e6) / (wallMicros() - start));
  }
  const merges: number[] = [];
  for (let round = 0; round <= SLOW.roundsMax / 4; round += 1) {
    const branch = branchName(`taken-${run}-${round}`);
    await store.createBranch({name: branch, origin: MAIN, description: '', syncWithGit: false}, SERVICE);
    await store.write(branch, SERVICE, async draft => {
      for (let place = 0; place < CHANGES; place += 1) {
        const index = round * CHANGES + place;
        await draft.update(idAt(index), changeOf(indexAt(index), round + 31));
      }
    });
    const start = wallMicros();
    await store.combine(MAIN, SERVICE, async draft => {
      const {branch: changes} = await draft.matter(branch);
      await draft.nodes(changes.map(({id}) => id));
      for (const {id, attributes} of changes) {
        const values = attributes.map(({name, after}) => [name, after?.value ?? null] as const);
        await draft.update(id, chosen(Object.fromEntries(values)));
      }
      await draft.settle(branch);
    });
    if (round > 0) merges.push(wallMicros() - start);
  }
  const cpu = process.cpuUsage();
  const begun = wallMicros();
  let next = 0;
  const reader = async () => {
    while (next < READS_AT_ONCE) {
      next += 1;
      await (await store.snapshot({branch: MAIN})).node(idAt(next));
    }
  };
  await Promise.all(Array.from({length: AT_ONCE}, reader));
  const perSecond = (READS_AT_ONCE * 1e6) / (wallMicros() - begun);
  const {user, system} = process.cpuUsage(cpu);
  return [
    time(`${engine}: get by id`, point),
    time(`${engine}: first ${LIMIT}, filter + order`, list),
    time(`${engine}: durable create with its edges`, create),
    time(`${engine}: durable update`, update),
    {name: `${engine}: bulk load, nodes`, unit: 'perSecond', value: median(rates)},
    time(`${engine}: ${CHANGES} changes of a branch taken over`, merges),
    {name: `${engine}: get by id, ${AT_ONCE} at once`, unit: 'perSecond', value: perSecond},
    {
      name: `${engine}: processor time of our process for one of them`,
      unit: 'micros',
      value: (user + system) / READS_AT_ONCE,
    },
  ];
}
