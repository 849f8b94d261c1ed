import process from 'node:process';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {timeOrderedIds} from '../../src/adapters/ids/time-ordered-ids.ts';
import {openPostgresGraphStore} from '../../src/adapters/postgres/open-postgres-store.ts';
import {ServiceError} from '../../src/domain/errors.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import {chosen, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';

export interface ChaosOrder {
  readonly url: string;
  readonly register: NodeId;
  readonly name: string;
}

/** A line of the journal. `unknown`: nobody knows whether it was done. */
export interface Act {
  readonly is: 'asked' | 'told' | 'refused' | 'unknown';
  readonly deed: 'tag' | 'set' | 'get' | 'task' | 'done';
  readonly id: string;
  readonly value: string;
  readonly began: number;
  readonly ended: number;
}

const VALUES = 5000;
const LANES = 3;

const order = JSON.parse(process.argv[2]!) as ChaosOrder;
const {register} = order;
const ids = timeOrderedIds(systemClock);
const now = () => systemClock.nowMicros();
const tell = (act: Act) =>
  new Promise<void>(resolve => {
    process.send!(act, () => resolve());
  });

async function attempt(
  deed: Act['deed'],
  id: string,
  value: string,
  body: () => Promise<string | undefined>,
): Promise<void> {
  const began = now();
  // Asked first: of a process that is killed in the middle only this line is left.
  await tell({is: 'asked', deed, id, value, began, ended: began});
  let outcome: Pick<Act, 'is' | 'value'>;
  try {
    const answer = await body();
    outcome = {is: 'told', value: answer ?? value};
  } catch (error) {
    const isRefusal = error instanceof ServiceError && error.code === 'CONSTRAINT_VIOLATION';
    const isUndone = error instanceof ServiceError && error.message.includes('nothing was written');
    outcome = {is: isRefusal || isUndone ? 'refused' : 'unknown', value};
  }
  await tell({...outcome, deed, id, began, ended: now()});
}

const store = await openPostgresGraphStore({
  url: order.url,
  clock: systemClock,
  reconnectMillisMax: 500,
}).catch(() => process.exit(0));

async function lane(): Promise<never> {
  for (;;) {
    const id = ids.nodeId();
    const value = `v${Math.floor(Math.random() * VALUES)}`;
    await attempt('tag', id, value, async () => {
      await store.write(MAIN, SERVICE, draft =>
        draft.create({id, kind: 'TestTag', attributes: chosen({name: value})}),
      );
      return undefined;
    });
    const weight = Math.floor(Math.random() * 1_000_000_000);
    await attempt('set', ids.nodeId(), String(weight), async () => {
      await store.write(MAIN, SERVICE, draft => draft.update(register, chosen({weight})));
      return undefined;
    });
    const made = ids.nodeId();
    await attempt('task', made, '', async () => {
      const written = await store.write(MAIN, SERVICE, async draft => {
        await draft.create({id: made, kind: 'TestTag', attributes: chosen({name: `task-${made}`})});
        return draft.enqueue({workflow: 'chaos', title: made, input: made});
      });
      return written.value;
    });
    // A read inside a write sees the newest state of all servers, as a register's read must.
    await attempt('get', ids.nodeId(), '', async () => {
      const {value: read} = await store.write(MAIN, SERVICE, async draft => {
        return String((await draft.node(register))?.value('weight'));
      });
      return read;
    });
  }
}

/** Takes tasks and says that they are done, each in the commit that does it. */
async function worker(): Promise<never> {
  for (;;) {
    const request = {worker: order.name, workflows: ['chaos'], limit: 3, leaseMicros: 2_000_000};
    const claimed = await store.tasks.claim(request).catch(() => []);
    for (const {task, lease} of claimed) {
      const id = ids.nodeId();
      await attempt('done', task.id, id, async () => {
        await store.write(MAIN, SERVICE, async draft => {
          await draft.create({id, kind: 'TestTag', attributes: chosen({name: `done-${task.id}`})});
          await draft.finishTask({lease, result: id});
        });
        return undefined;
      });
    }
    if (claimed.length === 0) await new Promise(resolve => setTimeout(resolve, 20));
  }
}

await Promise.all([...Array.from({length: LANES}, lane), worker()]);
