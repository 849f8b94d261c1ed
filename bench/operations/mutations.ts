import {join} from 'node:path';
import autocannon from 'autocannon';
import {databasePath} from '../../src/adapters/sqlite/data-file.ts';
import type {ServiceFamily} from '../bench.ts';
import {isByProcessor, wallMicros} from '../clock.ts';
import {nameOf, ROLES} from '../data-sets/data-set.ts';
import {scatter} from '../data-sets/scatter.ts';
import {copyService, deviceId, devicesOf, siteOf} from '../data-sets/service-set.ts';
import {lastCommit, type ObjectRows, replay, rowsWritten} from '../limits/raw-writes.ts';
import {type Figure, limit, median, time, timed} from '../measure.ts';
import {paceSeconds} from '../pace.ts';
import {processorMicros} from '../processor.ts';
import type {Served} from '../served.ts';
import {KEY, serve} from './http.ts';

const CLIENTS = 32;
const BULK = 10_000;
const BULK_LOADS = 3;
const LARGE_BULK = 100_000;
const HEADERS = {'content-type': 'application/json', 'accept-encoding': 'identity', 'x-api-key': KEY};

const CREATE = `mutation ($data: BenchDeviceCreateInput!) { BenchDeviceCreate(data: $data) { object { id } } }`;
const UPDATE = `mutation ($data: BenchDeviceUpdateInput!) { BenchDeviceUpdate(data: $data) { object { id } } }`;
const UPSERT = `mutation ($data: BenchDeviceUpsertInput!) { BenchDeviceUpsert(data: $data) { object { id } } }`;
const CREATE_MANY = `mutation ($data: [BenchDeviceCreateInput!]!) { BenchDeviceCreateMany(data: $data) { count } }`;

const text = (query: string, data: object): string => JSON.stringify({query, variables: {data}});

function device(serial: number, size: number) {
  const values = {
    name: `made-${serial}`,
    status: 'active',
    role: ROLES[serial % ROLES.length]!,
    serial: `S${serial}`,
    position: serial % 48,
    description: 'made by the bench',
  };
  const attributes = Object.entries(values).map(([name, value]) => [name, {value}] as const);
  return {...Object.fromEntries(attributes), site: {id: siteOf(scatter(serial, 7) % devicesOf(size))}};
}

/** Writes over the API with all that it checks, beside plain prepared inserts of the rows that they leave. */
export const mutations: ServiceFamily = {
  name: 'mutations',
  on: 'service',
  async run({folder, size}) {
    const ours = join(folder, 'mutations');
    const raw = join(folder, 'mutations-raw');
    await copyService(size, ours);
    await copyService(size, raw);
    const served = await serve(ours);
    try {
      return await new Writing(served, databasePath(ours), databasePath(raw), size).figures();
    } finally {
      await served.stop();
    }
  },
};

/** Many at once are told as a rate; by processor time, as what each costs the service. */
const paced = (name: string, micros: number): Figure =>
  isByProcessor() ? {name, unit: 'micros', value: micros} : {name, unit: 'perSecond', value: 1e6 / micros};

class Writing {
  readonly #served: Served;
  readonly #path: string;
  readonly #raw: string;
  readonly #size: number;
  #serial = 0;

  constructor(served: Served, path: string, raw: string, size: number) {
    this.#served = served;
    this.#path = path;
    this.#raw = raw;
    this.#size = size;
  }

  async figures(): Promise<readonly Figure[]> {
    return [
      ...(await this.#createAlone()),
      ...(await this.#createTogether()),
      ...(await this.#change('update', () => this.#update())),
      ...(await this.#change('upsert, half of them new', () => this.#upsert())),
      ...(await this.#bulk(BULK, BULK_LOADS)),
      ...(this.#size < LARGE_BULK ? [] : await this.#bulk(LARGE_BULK, 1)),
    ];
  }

  async #createAlone(): Promise<readonly Figure[]> {
    let samples: readonly number[] = [];
    const rows = await this.#written(async () => {
      samples = await timed(() => this.#send(this.#create()), {roundsMax: 1_000, clock: wallMicros});
    });
    const least = limit(
      'raw inserts of the same rows: API, create, one client',
      replay(this.#raw, rows, 1, wallMicros),
    );
    return [least, time('API, create, one client', samples, [least.name])];
  }

  async #createTogether(): Promise<readonly Figure[]> {
    await this.#load(CLIENTS, () => this.#create(), 1);
    let micros = Number.NaN;
    const rows = await this.#written(async () => {
      micros = await this.#load(CLIENTS, () => this.#create());
    });
    const raw = replay(this.#raw, rows, CLIENTS).reduce((sum, sample) => sum + sample, 0);
    const name = `raw inserts of the same rows, ${CLIENTS} per commit: API, create`;
    return [
      {...paced(name, raw / rows.length), isLimit: true},
      {...paced(`API, create, ${CLIENTS} clients`, micros), limits: [name]},
    ];
  }

  async #change(name: string, body: () => string): Promise<readonly Figure[]> {
    const samples = await timed(() => this.#send(body()), {roundsMax: 1_000, clock: wallMicros});
    await this.#load(CLIENTS, body, 1);
    const micros = await this.#load(CLIENTS, body);
    return [time(`API, ${name}, one client`, samples), paced(`API, ${name}, ${CLIENTS} clients`, micros)];
  }

  /** So many objects, ten thousand in a request. */
  async #bulk(count: number, loads: number): Promise<readonly Figure[]> {
    const each: number[] = [];
    const rows = await this.#written(async () => {
      for (let load = 0; load < loads; load += 1) {
        const bodies = Array.from({length: count / BULK}, () => {
          this.#serial += BULK;
          const data = Array.from({length: BULK}, (_, place) => device(this.#serial - place, this.#size));
          return text(CREATE_MANY, data);
        });
        const start = this.#micros();
        for (const body of bodies) await this.#send(body);
        each.push((this.#micros() - start) / count);
      }
    });
    const raw = replay(this.#raw, rows, BULK).map(micros => micros / BULK);
    const title = `API, bulk of ${count.toLocaleString('en-US')}, objects`;
    const name = `raw inserts of the same rows: ${title}`;
    return [
      {...paced(name, median(raw)), isLimit: true},
      {...paced(title, median(each)), limits: [name]},
    ];
  }

  #create(): string {
    this.#serial += 1;
    return text(CREATE, device(this.#serial, this.#size));
  }

  #update(): string {
    this.#serial += 1;
    const id = deviceId(scatter(this.#serial, 9) % devicesOf(this.#size));
    return text(UPDATE, {id, description: {value: `revision ${this.#serial}`}});
  }

  #upsert(): string {
    this.#serial += 1;
    const isNew = this.#serial % 2 === 0;
    const known = nameOf(scatter(this.#serial, 9) % devicesOf(this.#size));
    const name = isNew ? `put-${this.#serial}` : known;
    return text(UPSERT, {name: {value: name}, description: {value: `revision ${this.#serial}`}});
  }

  /** What a piece of work left in the tables. */
  async #written(work: () => Promise<void>): Promise<readonly ObjectRows[]> {
    const from = lastCommit(this.#path);
    await work();
    return rowsWritten(this.#path, from, lastCommit(this.#path));
  }

  async #send(body: string): Promise<void> {
    const response = await fetch(`${this.#served.address}/graphql`, {method: 'POST', headers: HEADERS, body});
    const answer = await response.text();
    if (answer.includes('"errors"')) throw new Error(answer.slice(0, 500));
  }

  /** Microseconds so far, by the clock or of the service on the processor. */
  #micros(): number {
    return isByProcessor() ? processorMicros([this.#served.pid]) : wallMicros();
  }

  /** Microseconds for each write of clients that wait for their answers. */
  async #load(connections: number, body: () => string, duration = 2 * paceSeconds()): Promise<number> {
    const start = this.#micros();
    const result = await autocannon({
      url: `${this.#served.address}/graphql`,
      connections,
      duration,
      requests: [
        {
          method: 'POST',
          headers: HEADERS,
          setupRequest: (request: autocannon.Request) => Object.assign(request, {body: body()}),
        },
      ],
      verifyBody: (answer: unknown) => !String(answer).includes('"errors"'),
    });
    const failed = result.non2xx + result.errors + result.mismatches;
    if (failed > 0) throw new Error(`${failed} writes were refused`);
    return (this.#micros() - start) / result.requests.total;
  }
}
