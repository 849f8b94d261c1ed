import {parentPort} from 'node:worker_threads';
import {must} from '../../base/assert.ts';
import {planLoad} from '../../domain/schema/plan-load.ts';
import type {Location} from '../../domain/schema/problem.ts';
import type {SchemaSource} from '../../domain/schema/source.ts';
import {type PlanPart, partsOf} from './plan-parts.ts';

export type PlanMessage =
  | {readonly is: 'plan'; readonly stored: SchemaSource; readonly text: string; readonly base: Location}
  | {readonly is: 'more'};

export type PlanAnswer =
  | {readonly is: 'part'; readonly part: PlanPart}
  | {readonly is: 'failed'; readonly message: string};

const port = must(parentPort, 'the port of a worker');
let parts: Iterator<PlanPart> | undefined;

/** One part for each message: the other side asks for the next when it has time for it. */
function answer(message: PlanMessage): PlanAnswer {
  try {
    if (message.is === 'plan') {
      const {stored, text, base} = message;
      parts = partsOf(planLoad(stored, JSON.parse(text), base))[Symbol.iterator]();
    }
    return {is: 'part', part: must(parts, 'a plan').next().value as PlanPart};
  } catch (error) {
    return {is: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error)};
  }
}

port.on('message', (message: PlanMessage) => port.postMessage(answer(message)));
