import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import pg from 'pg';
import {startPostgres} from '../../src/adapters/postgres/postgres-server-harness.ts';
import {ADMIN_KEY, ask, ChaosClient, FIRST_VALUE, Journal, REGISTER} from './chaos-client.ts';
import {ChaosProcess} from './chaos-process.ts';
import {finalProblems} from './chaos-verdict.ts';

export interface ChaosReport {
  readonly acknowledged: number;
  readonly inserts: number;
  readonly registerOperations: number;
  readonly tasks: number;
  /** How often each was killed. */
  readonly kills: Readonly<Record<string, number>>;
  /** Empty when every promise was kept. */
  readonly problems: readonly string[];
}

export interface ChaosOptions {
  readonly random: (bound: number) => number;
  /** Ends when so much was acknowledged and everything was killed at least once, or when the time is up. */
  readonly acknowledgedMin: number;
  readonly secondsMax: number;
}

/** How much is acknowledged between two deaths of the same. */
const SERVER_LIFE = [40, 300] as const;
const WORKER_LIFE = [20, 200] as const;
const DATABASE_LIFE = [80, 500] as const;
const INSERTERS = 3;
const READERS = 2;
const BRANCHERS = 2;

/**
 * Two servers, two workers and their database, killed at random and started again under load. The clients keep a
 * journal of what they asked and what they were told; in the end it is held against what is there.
 */
export async function serviceChaos({
  random,
  acknowledgedMin,
  secondsMax,
}: ChaosOptions): Promise<ChaosReport> {
  const database = await startPostgres();
  const url = database.urlOf('postgres');
  const folder = mkdtempSync(join(tmpdir(), 'trellis-chaos-'));
  const processOf = (name: string, more: Readonly<Record<string, string>>, args: readonly string[] = []) =>
    new ChaosProcess(
      {
        SERVICE_DATABASE_URL: url,
        SERVICE_DATABASE_CONNECTIONS: '3',
        SERVICE_SECURITY_SECRET_KEY: 'a-secret-that-all-processes-know',
        SERVICE_INITIAL_ADMIN_TOKEN: ADMIN_KEY,
        SERVICE_STORAGE_LOCAL_PATH: join(folder, 'storage'),
        SERVICE_DATA_DIR: join(folder, name),
        SERVICE_LOG_LEVEL: 'ERROR',
        SERVICE_PORT: '0',
        ...more,
      },
      args,
    );
  const servers = ['server-1', 'server-2'].map(name => processOf(name, {SERVICE_TASK_PARALLEL_MAX: '0'}));
  const workers = ['worker-1', 'worker-2'].map(name => processOf(name, {}, ['--worker']));
  const kills = {servers: 0, workers: 0, database: 0};
  const end = performance.now() + secondsMax * 1000;
  const waiting = new Set<() => void>();
  const journal = new Journal(() => {
    for (const look of waiting) look();
  });
  const isOver = () =>
    performance.now() > end ||
    (journal.told >= acknowledgedMin && kills.servers > 1 && kills.workers > 1 && kills.database > 0);

  /** Until so much more was acknowledged, or all is over. */
  const progress = ([least, most]: readonly [number, number]) =>
    new Promise<void>(resolve => {
      const enough = journal.told + least + random(most - least);
      const look = () => {
        if (journal.told < enough && !isOver()) return;
        waiting.delete(look);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(look, Math.max(0, end - performance.now()) + 1);
      waiting.add(look);
    });

  async function lives(
    one: ChaosProcess,
    of: 'servers' | 'workers',
    life: readonly [number, number],
  ): Promise<void> {
    while (!isOver()) {
      await progress(life);
      if (isOver()) return;
      await one.kill();
      kills[of] += 1;
      while (!isOver() && !(await one.start()));
    }
  }

  async function outages(): Promise<void> {
    while (!isOver()) {
      await progress(DATABASE_LIFE);
      if (isOver()) return;
      await database.kill('SIGKILL');
      kills.database += 1;
      await database.start();
    }
  }

  try {
    const all = [...servers, ...workers];
    for (const one of all) {
      if (!(await one.start())) throw new Error(`a process did not start:\n${one.output}`);
    }
    const create = `mutation { BuiltinTagCreate(data: {name: {value: "${REGISTER}"}, description: {value: "${FIRST_VALUE}"}}) { object { id } } }`;
    const made = await ask(servers[0]!.address!, create);
    if (made.is !== 'done') throw new Error(`the register was not made: ${JSON.stringify(made)}`);
    const register = made.data.BuiltinTagCreate.object.id as string;
    const clients = {journal, random, isOver, anyServer: () => servers[random(servers.length)]!.address!};
    const client = (name: string, place: number) => new ChaosClient(clients, `${name}${place}`);
    const several = (count: number, body: (place: number) => Promise<void>) =>
      Array.from({length: count}, (_, place) => body(place));
    await Promise.all([
      outages(),
      ...servers.map(server => lives(server, 'servers', SERVER_LIFE)),
      ...workers.map(worker => lives(worker, 'workers', WORKER_LIFE)),
      ...several(INSERTERS, place => client('i', place).insertUntilOver()),
      ...several(READERS, place => client('r', place).readUntilOver(register)),
      ...several(BRANCHERS, place => client('b', place).branchUntilOver()),
      client('w', 0).writeUntilOver(register),
    ]);
    for (const one of all) await one.kill();
    await letLeasesRunOut(url);
    const last = [servers[0]!, workers[0]!];
    for (const one of last) {
      if (!(await one.start())) throw new Error(`a process did not start in the end:\n${one.output}`);
    }
    const problems = await finalProblems(last[0]!.address!, journal);
    return {
      acknowledged: journal.told,
      inserts: journal.inserts.length,
      registerOperations: journal.register.length,
      tasks: journal.tasks.length,
      kills,
      problems,
    };
  } finally {
    for (const one of [...servers, ...workers]) await one.kill();
    await database.stop();
    rmSync(folder, {recursive: true, force: true});
  }
}

/** Whoever had a lease is dead; nobody needs to wait until it is over. */
async function letLeasesRunOut(url: string): Promise<void> {
  const client = new pg.Client({connectionString: url});
  await client.connect();
  await client.query(`UPDATE task SET lease = 0 WHERE state = 'running'`);
  await client.query(`UPDATE task SET due = 0 WHERE state = 'waiting'`);
  await client.end();
}
