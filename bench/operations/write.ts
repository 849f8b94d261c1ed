import {databasePath} from '../../src/adapters/sqlite/data-file.ts';
import type {SqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import type {Bench, StoreFamily} from '../bench.ts';
import {nowMicros} from '../clock.ts';
import type {Step} from '../data-sets/data-set.ts';
import {changeOf, idOf, writeSteps} from '../data-sets/data-set.ts';
import {replay, rowsWritten} from '../limits/raw-writes.ts';
import type {Figure} from '../measure.ts';
import {limit, time, timed} from '../measure.ts';

const CLIENTS = 32;
const CREATES = 1_000;
const PER_CLIENT = 100;
/** Past the numbers of what the branches of the data set made. */
const FIRST = 10_000;
const ROUNDS = {warmUp: 50, roundsMax: CREATES, millisMax: 10_000};

export const write: StoreFamily = {
  name: 'write',
  on: 'data set',
  async run(bench) {
    const stream = extras(bench);
    return [
      ...(await creates(bench, stream, 'durable create', step => ({...step, edges: []}))),
      ...(await creates(bench, stream, 'durable create with 3 edges', step => step)),
      ...(await concurrent(bench, stream)),
      ...(await updates(bench)),
    ];
  },
};

function* extras({data, size}: Bench): Generator<Step, never> {
  for (let serial = FIRST; ; serial += 1) yield data.extra(serial, size);
}

async function creates(
  bench: Bench,
  stream: Generator<Step, never>,
  name: string,
  shape: (step: Step) => Step,
): Promise<readonly Figure[]> {
  const store = await bench.open();
  const from = store.now();
  const samples = await timed(() => writeSteps(store, [shape(stream.next().value)]), ROUNDS);
  await store.close();
  const raw = `raw inserts of the same rows: ${name}`;
  const rows = rowsWritten(databasePath(bench.folder), from);
  return [limit(raw, replay(bench.rawCopy(), rows, 1)), time(name, samples, [raw])];
}

async function concurrent(bench: Bench, stream: Generator<Step, never>): Promise<readonly Figure[]> {
  const store = await bench.open();
  await clients(store, stream, 10);
  const from = store.now();
  const start = nowMicros();
  await clients(store, stream, PER_CLIENT);
  const seconds = (nowMicros() - start) / 1e6;
  await store.close();
  const rows = rowsWritten(databasePath(bench.folder), from);
  const micros = replay(bench.rawCopy(), rows, CLIENTS).reduce((sum, sample) => sum + sample, 0);
  const raw = `raw inserts of the same rows, ${CLIENTS} per commit`;
  return [
    {name: raw, unit: 'perSecond', value: (rows.length * 1e6) / micros, isLimit: true},
    {
      name: `durable creates, ${CLIENTS} clients`,
      unit: 'perSecond',
      value: (CLIENTS * PER_CLIENT) / seconds,
      limits: [raw],
    },
  ];
}

/** Each client writes its next object when its last is durable. */
async function clients(store: SqliteGraphStore, stream: Generator<Step, never>, each: number): Promise<void> {
  const client = async () => {
    for (let count = 0; count < each; count += 1) {
      await writeSteps(store, [{...stream.next().value, edges: []}]);
    }
  };
  await Promise.all(Array.from({length: CLIENTS}, client));
}

async function updates(bench: Bench): Promise<readonly Figure[]> {
  const store = await bench.open();
  const samples = await timed(
    round =>
      store.write(MAIN, SERVICE, async draft => {
        const index = (round * 7919) % bench.size;
        await draft.update(idOf(index), changeOf(index, 20));
      }),
    ROUNDS,
  );
  await store.close();
  return [time('durable update', samples)];
}
