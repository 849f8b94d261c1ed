import {setImmediate as nextTurn} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';
import {unavailable} from '../../domain/errors.ts';
import {type LoadPlan, planLoad} from '../../domain/schema/plan-load.ts';
import type {Location} from '../../domain/schema/problem.ts';
import type {SchemaSource} from '../../domain/schema/source.ts';
import type {SchemaPlanner} from '../../ports/schema-planner.ts';
import {PlanAssembly, slices} from './plan-parts.ts';
import type {PlanAnswer, PlanMessage} from './plan-worker.ts';

/** Documents of up to this many characters take less time than the way to another thread and back. */
const INLINE_CHARACTERS_MAX = 200_000;

/** Small documents are planned at once, large ones on a thread of their own, one after the other. */
export class ThreadedPlanner implements SchemaPlanner {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  async plan(stored: SchemaSource, schemas: unknown, base: Location): Promise<LoadPlan> {
    const text = textOf(schemas);
    if (text === undefined || text.length <= INLINE_CHARACTERS_MAX) return planLoad(stored, schemas, base);
    const plan = this.#last.then(() => this.#planElsewhere(stored, text, base));
    this.#last = plan.catch(() => undefined);
    return plan;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  async #planElsewhere(stored: SchemaSource, text: string, base: Location): Promise<LoadPlan> {
    for (const definitions of slices([...stored.kinds.values()])) {
      await this.#ask({is: 'stored', definitions});
    }
    const assembly = new PlanAssembly();
    let message: PlanMessage = {is: 'plan', retired: stored.retired, text, base};
    for (;;) {
      const answer = await this.#ask(message);
      if (answer.is === 'part' && assembly.add(answer.part)) return assembly.plan();
      await nextTurn();
      message = {is: 'more'};
    }
  }

  #ask(message: PlanMessage): Promise<PlanAnswer> {
    if (this.#isClosed)
      return Promise.reject(unavailable('The service is stopping; nothing more is loaded.'));
    const worker = this.#worker ?? this.#start();
    const {promise, resolve, reject} = Promise.withResolvers<PlanAnswer>();
    const onMessage = (answer: PlanAnswer) => {
      worker.off('exit', onExit);
      if (answer.is === 'failed') reject(new Error(answer.message));
      else resolve(answer);
    };
    const onExit = () => {
      worker.off('message', onMessage);
      reject(unavailable('The load was interrupted; try again.'));
    };
    worker.once('message', onMessage);
    worker.once('exit', onExit);
    worker.postMessage(message);
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./plan-worker.ts', import.meta.url));
    worker.unref();
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on('exit', forget);
    // What went wrong is told to whoever waits when the thread exits, which follows at once.
    worker.on('error', forget);
    this.#worker = worker;
    return worker;
  }
}

/** Undefined for what is nested too deep to be written out: that is refused without being followed down. */
function textOf(schemas: unknown): string | undefined {
  try {
    return JSON.stringify(schemas) ?? '';
  } catch {
    return undefined;
  }
}
