import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {databasePath} from '../../src/adapters/sqlite/data-file.ts';
import {formatInstant} from '../../src/domain/time/instant.ts';
import {branchName, chosen, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import type {ServiceFamily} from '../bench.ts';
import {isByProcessor, wallMicros} from '../clock.ts';
import {scatter} from '../data-sets/scatter.ts';
import {copyService, deviceId, devicesOf, openService} from '../data-sets/service-set.ts';
import {executeOn, openRaw} from '../limits/raw-database.ts';
import {RawServiceReads} from '../limits/raw-service-reads.ts';
import type {Figure} from '../measure.ts';
import {limit, median, time, timed, timedSync} from '../measure.ts';
import {paceSeconds} from '../pace.ts';
import {processorMicros} from '../processor.ts';
import {load, Served} from '../served.ts';
import {type Question, questions, text, WRITES_PER_SECOND} from './http-questions.ts';
import {residentBytes} from './start.ts';

export const KEY = 'bench-key-of-the-admin';
export const CONNECTIONS = 8;
/** For each second that a figure is measured. */
const TURNS = 2;
const TURN_SECONDS_MAX = 8;
const ANSWERS_PER_TURN = 16;
/** What clients see: GraphQL over kept-alive HTTP, beside a bare server that sends as many bytes. */
export const http: ServiceFamily = {
  name: 'http',
  on: 'service',
  async run(bench) {
    const folder = join(bench.folder, 'http');
    const past = await prepareFolder(folder, bench.size);
    const bare = await Served.start('bench/limits/bare-server.ts', {});
    const served = await serve(folder);
    const figures: Figure[] = [];
    try {
      for (const question of questions(bench.size, past)) {
        figures.push(
          ...(await answers({served, bare, question})),
          ...(await alone({served, folder, question})),
        );
      }
      figures.push({
        name: 'HTTP, memory after all of them',
        unit: 'bytes',
        value: residentBytes(served.pid),
      });
    } finally {
      await served.stop();
      await bare.stop();
    }
    return figures;
  },
};

const HEADERS = {'x-api-key': KEY};

interface Put {
  readonly served: Served;
  readonly question: Question;
}

/** One answer to look at, not compressed: nothing that it is held against is. */
async function answerTo({served, question: {name, path, bodies}}: Put, round = 0): Promise<string> {
  const response = await fetch(`${served.address}${path}`, {
    method: 'POST',
    headers: {'content-type': 'application/json', 'accept-encoding': 'identity', ...HEADERS},
    body: bodies[round % bodies.length]!,
  });
  const answer = await response.text();
  if (answer.includes('"errors"')) throw new Error(`${name}: ${answer.slice(0, 500)}`);
  return answer;
}

/** Answers to several clients, in turns with a server that does nothing but send as many bytes. */
async function answers({served, bare, question}: Put & {readonly bare: Served}): Promise<readonly Figure[]> {
  const {name, path, bodies, isDisturbed} = question;
  const bytes = Buffer.byteLength(await answerTo({served, question}));
  const [ours, least] = [new Turns(served.pid), new Turns(bare.pid)];
  const asked = {bodies, headers: HEADERS, connections: CONNECTIONS, seconds: 1, warmUpSeconds: 0};
  const toUs = {...asked, url: `${served.address}${path}`};
  const {answered} = await load(toUs);
  const seconds = Math.min(TURN_SECONDS_MAX, Math.ceil(ANSWERS_PER_TURN / Math.max(1, answered)));
  for (let turn = 0; turn < TURNS * paceSeconds(); turn += 1) {
    await least.take(() => load({...asked, url: `${bare.address}/${bytes}`}));
    const writer = isDisturbed === true ? new Writer(served.address) : undefined;
    await ours.take(() => load({...toUs, seconds}));
    await writer?.stop();
  }
  const limitFigure = {...least.figure(`bare reply of as many bytes: ${name}`), isLimit: true};
  return [limitFigure, {...ours.figure(`HTTP, ${name}, ${CONNECTIONS} clients`), limits: [limitFigure.name]}];
}

/** What a server did whenever it was its turn. */
class Turns {
  readonly #pid: number;
  readonly #rates: number[] = [];
  #micros = 0;
  #answered = 0;

  constructor(pid: number) {
    this.#pid = pid;
  }

  async take(turn: () => ReturnType<typeof load>): Promise<void> {
    const before = processorMicros([this.#pid]);
    const {perSecond, answered} = await turn();
    this.#rates.push(perSecond);
    this.#micros += processorMicros([this.#pid]) - before;
    this.#answered += answered;
  }

  figure(name: string): Figure {
    return isByProcessor()
      ? {name, unit: 'micros', value: this.#micros / this.#answered}
      : {name, unit: 'perSecond', value: median(this.#rates)};
  }
}

/** Somebody who changes one object again and again. */
class Writer {
  readonly #done: Promise<void>;
  #isOver = false;

  constructor(address: string) {
    this.#done = this.#write(address);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }

  async #write(address: string): Promise<void> {
    const query = `mutation ($data: BenchDeviceUpdateInput!) { BenchDeviceUpdate(data: $data) { ok } }`;
    for (let round = 0; !this.#isOver; round += 1) {
      const data = {id: deviceId(0), description: {value: `written ${performance.now()} ${round}`}};
      const response = await fetch(`${address}/graphql`, {
        method: 'POST',
        headers: {'content-type': 'application/json', ...HEADERS},
        body: text(query, {data}),
      });
      const answer = await response.text();
      if (answer.includes('"errors"')) throw new Error(answer.slice(0, 500));
      await wait(1000 / WRITES_PER_SECOND);
    }
  }
}

/** What one client waits for, beside the statements and the writing of JSON that the answer takes. */
async function alone({
  served,
  folder,
  question,
}: Put & {readonly folder: string}): Promise<readonly Figure[]> {
  const {name, raw} = question;
  if (question.isDisturbed === true) return [];
  const samples = await timed(round => answerTo({served, question}, round), {warmUp: 20, clock: wallMicros});
  if (raw === undefined) return [time(`HTTP, ${name}, one client`, samples)];
  const value = JSON.parse(await answerTo({served, question})) as unknown;
  const database = openRaw(databasePath(folder));
  const reads = new RawServiceReads(executeOn(database));
  const rounds = {warmUp: 10, roundsMax: 200, clock: wallMicros};
  const statements = limit(
    `raw statements: ${name}`,
    timedSync(() => raw(reads), rounds),
  );
  const writing = limit(
    `JSON.stringify: ${name}`,
    timedSync(() => JSON.stringify(value), rounds),
  );
  database.close();
  const limits = [statements.name, writing.name];
  return [statements, writing, time(`HTTP, ${name}, one client`, samples, limits)];
}

export const serve = (folder: string, flags: readonly string[] = []): Promise<Served> =>
  Served.start(
    'src/main/serve.ts',
    {
      SERVICE_PORT: '0',
      SERVICE_DATA_DIR: folder,
      SERVICE_INITIAL_ADMIN_TOKEN: KEY,
      SERVICE_LOG_LEVEL: 'WARNING',
    },
    flags,
  );

/** A folder with everything that the questions ask for; answers an instant before its last changes. */
export async function prepareFolder(folder: string, size: number): Promise<string> {
  await copyService(size, folder);
  return addBranch(folder, size);
}

/** A branch with a few hundred changes, to be read from, and some on main; answers an instant before them. */
async function addBranch(folder: string, size: number): Promise<string> {
  const {store, close} = await openService(folder, 0);
  const past = formatInstant(store.now());
  const name = branchName('work');
  await store.createBranch({name, origin: MAIN, description: '', syncWithGit: false}, SERVICE);
  for (const [salt, branch] of [name, MAIN].entries()) {
    await store.write(branch, SERVICE, async draft => {
      for (let place = 0; place < Math.min(500, devicesOf(size)); place += 1) {
        const device = scatter(place, 77 + salt) % devicesOf(size);
        await draft.update(deviceId(device), chosen({description: `on ${branch} ${place}`}));
      }
    });
  }
  await close();
  return past;
}
