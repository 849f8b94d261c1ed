import {setImmediate as nextTurn} from 'node:timers/promises';
import {assert} from '../../base/assert.ts';
import type {Drive} from '../sql/job.ts';
import type {Row, Statement, Work} from '../sql/statement.ts';
import type {Connection} from './connection.ts';

/** A write gives the others a turn after this long, and goes on with its transaction open. */
const SLICE_MILLIS = 3;

type Step<T> = IteratorResult<Statement, T>;

/** Drives the works of one draft; those that take long give others a turn. */
export function slicedSteps(connection: Connection, isOver: () => boolean): Drive {
  let sliceStart = performance.now();

  /** Goes on until the work is done or the time of the slice is used up. */
  function slice<T>(work: Work<T>, first: Step<T>): Step<T> {
    let step = first;
    while (step.done !== true && performance.now() - sliceStart < SLICE_MILLIS) {
      let rows: readonly Row[];
      try {
        if (connection.prepares(step.value)) continue;
        rows = connection.run(step.value);
      } catch (error) {
        step = work.throw(error);
        continue;
      }
      step = work.next(rows);
    }
    return step;
  }

  async function rest<T>(work: Work<T>, first: Step<T>): Promise<T> {
    let step = first;
    while (step.done !== true) {
      await nextTurn();
      assert(!isOver(), 'a body ends after its steps');
      sliceStart = performance.now();
      step = slice(work, step);
    }
    return step.value;
  }

  return work => {
    const step = slice(work, work.next([]));
    return step.done === true ? step.value : rest(work, step);
  };
}
