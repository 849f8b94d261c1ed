import {fork} from 'node:child_process';
import {once} from 'node:events';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {openPostgresGraphStore} from '../../src/adapters/postgres/open-postgres-store.ts';
import type {PostgresGraphStore} from '../../src/adapters/postgres/postgres-graph-store.ts';
import {startPostgres} from '../../src/adapters/postgres/postgres-server-harness.ts';
import {must} from '../../src/base/assert.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import type {TaskId} from '../../src/domain/task/task.ts';
import {ALL_KINDS, chosen, freshId, MAIN, putKinds, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import type {Act, ChaosOrder} from './chaos-writer.ts';
import {registerProblems} from './linear-register.ts';

export interface ChaosReport {
  readonly acts: number;
  readonly acknowledged: number;
  readonly kills: number;
  /** Empty when every promise was kept. */
  readonly problems: readonly string[];
}

export interface ChaosOptions {
  readonly servers: number;
  /** Ends when so much was acknowledged, or when the time is up. */
  readonly acknowledgedMax: number;
  readonly secondsMax: number;
}

/** How much is acknowledged in the life of a server, and between two deaths of the database. */
const SERVER_LIFE = [5, 60] as const;
const DATABASE_LIFE = [10, 90] as const;

/**
 * Servers that write and read at random, while they and the database are killed and started again. Each keeps a
 * journal of what it asked and what it was told; in the end the journals are held against what is there.
 */
export async function chaos({servers, acknowledgedMax, secondsMax}: ChaosOptions): Promise<ChaosReport> {
  const database = await startPostgres();
  const url = database.urlOf('postgres');
  const first = await openPostgresGraphStore({url, clock: systemClock});
  await putKinds(first, MAIN, ...ALL_KINDS);
  const register = freshId();
  await first.write(MAIN, SERVICE, draft =>
    draft.create({id: register, kind: 'TestDevice', attributes: chosen({name: 'register', weight: 0})}),
  );
  await first.close();
  const acts: Act[] = [];
  let kills = 0;
  let told = 0;
  const end = performance.now() + secondsMax * 1000;
  const isOver = () => told >= acknowledgedMax || performance.now() > end;
  const waiting = new Set<() => void>();
  const hear = (act: Act) => {
    acts.push(act);
    if (act.is === 'told') told += 1;
    for (const look of waiting) look();
  };
  /** Until so much more was acknowledged, or all is over. */
  const progress = ([least, most]: readonly [number, number]) =>
    new Promise<void>(resolve => {
      const enough = told + least + Math.floor(Math.random() * (most - least));
      const look = () => {
        if (told < enough && !isOver()) return;
        waiting.delete(look);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(look, Math.max(0, end - performance.now()) + 1);
      waiting.add(look);
    });

  async function server(name: string): Promise<void> {
    for (let life = 0; !isOver(); life += 1) {
      const order: ChaosOrder = {url, register, name: `${name}-${life}`};
      const child = fork(new URL('./chaos-writer.ts', import.meta.url), [JSON.stringify(order)]);
      child.on('message', act => hear(act as Act));
      const ended = once(child, 'exit');
      await Promise.race([ended, progress(SERVER_LIFE)]);
      child.kill('SIGKILL');
      kills += 1;
      await ended;
    }
  }

  async function outages(): Promise<void> {
    for (;;) {
      await progress(DATABASE_LIFE);
      if (isOver()) return;
      await database.kill();
      kills += 1;
      await database.start();
    }
  }

  await Promise.all([outages(), ...Array.from({length: servers}, (_, place) => server(`s${place}`))]);
  const store = await openPostgresGraphStore({url, clock: systemClock});
  try {
    const problems = [...(await store.verify()).problems, ...registerProblems(acts, register)];
    const snapshot = await store.snapshot({branch: MAIN});
    const {found} = await snapshot.query({kind: 'TestTag'});
    const holders = new Map(found.map(({node}) => [String(node.value('name')), node.id]));
    const acknowledged = acts.filter(act => act.is === 'told');
    problems.push(...tagProblems(acts, holders), ...(await taskProblems(store, acts, holders)));
    if (acknowledged.length === 0) problems.push('nothing was ever acknowledged');
    return {acts: acts.length, acknowledged: acknowledged.length, kills, problems};
  } finally {
    await store.close();
    await database.stop();
  }
}

/**
 * Every task of an acknowledged commit is there, and one is done exactly when the commit that did it is there. The
 * object of that commit is unique, so no task was done twice.
 */
async function taskProblems(
  store: PostgresGraphStore,
  acts: readonly Act[],
  holders: ReadonlyMap<string, NodeId>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const told = acts.filter(act => act.deed === 'task' && act.is === 'told');
  for (const {value} of told) {
    const task = await store.tasks.task(value as TaskId);
    if (task === undefined) problems.push(`the task ${value} was acknowledged and is lost`);
    const isDone = task?.state === 'completed';
    if (task !== undefined && isDone !== holders.has(`done-${value}`)) {
      problems.push(`the task ${value} is ${task.state}, and its work says otherwise`);
    }
  }
  for (const {id} of acts.filter(act => act.deed === 'done' && act.is === 'told')) {
    if (!holders.has(`done-${id}`)) problems.push(`the work of the task ${id} was acknowledged and is lost`);
  }
  return problems;
}

/** Every acknowledged object is there, no value is held twice, and nothing is there that was refused. */
function tagProblems(acts: readonly Act[], holders: ReadonlyMap<string, NodeId>): string[] {
  const problems: string[] = [];
  const ids = new Set(holders.values());
  const winners = new Map<string, number>();
  for (const act of acts) {
    if (act.deed !== 'tag' || act.is === 'asked') continue;
    const isThere = ids.has(act.id as NodeId);
    if (act.is === 'told' && !isThere) problems.push(`${act.id} (${act.value}) was acknowledged and is lost`);
    if (act.is === 'refused' && isThere) problems.push(`${act.id} (${act.value}) was refused and is there`);
    if (act.is === 'told') winners.set(act.value, (winners.get(act.value) ?? 0) + 1);
  }
  for (const [value, count] of winners)
    if (count > 1) problems.push(`${value} was given to ${count} objects`);
  return problems;
}

if (import.meta.main) {
  const secondsMax = Number(process.argv[2] ?? 60);
  const report = await chaos({servers: 2, acknowledgedMax: Number.POSITIVE_INFINITY, secondsMax});
  console.log(JSON.stringify(report, null, 2));
  process.exitCode = must(report.problems, 'problems').length === 0 ? 0 : 1;
}
