import {join} from 'node:path';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {timeOrderedIds} from '../../src/adapters/ids/time-ordered-ids.ts';
import {moveToPostgres} from '../../src/adapters/postgres/move-to-postgres.ts';
import {openPostgresGraphStore} from '../../src/adapters/postgres/open-postgres-store.ts';
import {startPostgres} from '../../src/adapters/postgres/postgres-server-harness.ts';
import {ThreadedPlanner} from '../../src/adapters/schema-planner/threaded-planner.ts';
import {createBranch} from '../../src/app/branch/create-branch.ts';
import {mergeBranch} from '../../src/app/branch/merge-branch.ts';
import {processedSchemas} from '../../src/app/schema/processed-schemas.ts';
import {MAIN} from '../../src/ports/graph-store-fixtures.ts';
import type {ServiceFamily} from '../bench.ts';
import {wallMicros} from '../clock.ts';
import {type BenchService, CALLER, copyService, devicesOf, openService} from '../data-sets/service-set.ts';
import {type Figure, time} from '../measure.ts';
import {pidWithArgument, processorMicros} from '../processor.ts';
import {load, Served} from '../served.ts';
import {CONNECTIONS, KEY} from './http.ts';
import {type Question, questions} from './http-questions.ts';
import {change} from './merge.ts';

const ASKED = ['node by id', 'list of 50', '50 x 1 x 10'];
const SECONDS = 4;
/** What a server compiles while it runs, it has compiled by then. */
const WARM_UP_SECONDS = 5;
const CHANGES = 100;
const MERGES = 12;

/** Servers on one PostgreSQL: what one and two of them answer, and what each answer costs them and the database. */
export const servers: ServiceFamily = {
  name: 'servers',
  on: 'service',
  async run({folder: place, size}) {
    const folder = join(place, 'servers');
    await copyService(size, folder);
    const database = await startPostgres({isDurable: true});
    const started: Served[] = [];
    try {
      const url = database.urlOf('postgres');
      await moveToPostgres({folder, url});
      const figures: Figure[] = [];
      for (const name of ['first', 'second']) started.push(await serve(url, join(place, name)));
      const databasePid = pidWithArgument(`port=${database.port}`);
      for (const question of questions(size, '').filter(({name}) => ASKED.includes(name))) {
        figures.push(...(await reads(started, databasePid, question)));
      }
      for (const server of started.splice(0)) await server.stop();
      figures.push(...(await merges('embedded', size, await openService(folder, 0))));
      figures.push(...(await merges('PostgreSQL', size, await openOn(url))));
      return figures;
    } finally {
      for (const server of started) await server.stop();
      await database.stop();
    }
  },
};

const serve = (url: string, folder: string): Promise<Served> =>
  Served.start('src/main/serve.ts', {
    SERVICE_PORT: '0',
    SERVICE_DATABASE_URL: url,
    SERVICE_DATA_DIR: folder,
    SERVICE_INITIAL_ADMIN_TOKEN: KEY,
    SERVICE_SECURITY_SECRET_KEY: 'the-same-for-both-servers',
    SERVICE_LOG_LEVEL: 'WARNING',
  });

interface Case {
  readonly name: string;
  readonly servers: readonly Served[];
  readonly headers?: Readonly<Record<string, string>>;
}

async function reads(
  both: readonly Served[],
  databasePid: number,
  {name, path, bodies}: Question,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const cases: readonly Case[] = [
    {name: 'one server', servers: both.slice(0, 1)},
    {name: 'two servers', servers: both},
    {
      name: 'one server that need not look at the log',
      servers: both.slice(0, 1),
      headers: {'x-read-after': '0'},
    },
  ];
  const ask = (server: Served, seconds: number, headers: Case['headers'] = {}) =>
    load({
      url: `${server.address}${path}`,
      bodies,
      headers: {'x-api-key': KEY, ...headers},
      connections: CONNECTIONS,
      seconds,
      warmUpSeconds: 0,
    });
  await Promise.all(both.map(server => ask(server, WARM_UP_SECONDS)));
  for (const {name: some, servers: asked, headers} of cases) {
    const pids = asked.map(server => server.pid);
    const before = [processorMicros(pids), processorMicros([databasePid])] as const;
    const answers = await Promise.all(asked.map(server => ask(server, SECONDS, headers)));
    const after = [processorMicros(pids), processorMicros([databasePid])] as const;
    const answered = answers.reduce((sum, each) => sum + each.answered, 0);
    const title = `${name}, ${some} on PostgreSQL`;
    figures.push(
      {
        name: `${title}, ${CONNECTIONS} clients each`,
        unit: 'perSecond',
        value: answers.reduce((sum, each) => sum + each.perSecond, 0),
      },
      {
        name: `${title}: processor time of the server for an answer`,
        unit: 'micros',
        value: (after[0] - before[0]) / answered,
      },
      {
        name: `${title}: processor time of the database for an answer`,
        unit: 'micros',
        value: (after[1] - before[1]) / answered,
      },
    );
  }
  return figures;
}

async function openOn(url: string): Promise<BenchService> {
  const store = await openPostgresGraphStore({url, clock: systemClock});
  const planner = new ThreadedPlanner();
  const close = async () => {
    await planner.close();
    await store.close();
  };
  const ids = timeOrderedIds(systemClock);
  return {store, merges: store, planner, schemas: processedSchemas(), ids, close} as unknown as BenchService;
}

/** With everything that the service checks. */
async function merges(engine: string, size: number, service: BenchService): Promise<readonly Figure[]> {
  const samples: number[] = [];
  for (let round = 0; round < MERGES; round += 1) {
    const request = {name: `taken-${engine}-${round}`, origin: MAIN, description: '', syncWithGit: false};
    const {name} = await createBranch(service, CALLER, request);
    await change(service, name, size, Math.min(CHANGES, devicesOf(size)), 1_000 + round);
    const start = wallMicros();
    const {is} = await mergeBranch(service, CALLER, {branch: name});
    if (is !== 'done') throw new Error(`nothing to measure: ${is}`);
    if (round > 1) samples.push(wallMicros() - start);
  }
  await service.close();
  return [time(`${engine}: merge of ${CHANGES} changes, as a verb`, samples)];
}
