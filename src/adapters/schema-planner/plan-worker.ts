import {parentPort} from 'node:worker_threads';
import {must} from '../../base/assert.ts';
import {planLoad} from '../../domain/schema/plan-load.ts';
import type {Location} from '../../domain/schema/problem.ts';
import {type KindDefinition, kindName, type SchemaSource} from '../../domain/schema/source.ts';
import {type PlanPart, partsOf} from './plan-parts.ts';

export type PlanMessage =
  | {readonly is: 'stored'; readonly definitions: readonly KindDefinition[]}
  | {
      readonly is: 'plan';
      readonly retired: SchemaSource['retired'];
      readonly text: string;
      readonly base: Location;
    }
  | {readonly is: 'more'};

export type PlanAnswer =
  | {readonly is: 'taken'}
  | {readonly is: 'part'; readonly part: PlanPart}
  | {readonly is: 'failed'; readonly message: string};

const port = must(parentPort, 'the port of a worker');
let stored = new Map<string, KindDefinition>();
let parts: Iterator<PlanPart> | undefined;

/** One part for each message: the other side asks for the next when it has time for it. */
function answer(message: PlanMessage): PlanAnswer {
  try {
    if (message.is === 'stored') {
      for (const definition of message.definitions) stored.set(kindName(definition), definition);
      return {is: 'taken'};
    }
    if (message.is === 'plan') {
      const {retired, text, base} = message;
      const kinds = stored;
      stored = new Map();
      parts = partsOf(planLoad({kinds, retired}, JSON.parse(text), base))[Symbol.iterator]();
    }
    return {is: 'part', part: must(parts, 'a plan').next().value as PlanPart};
  } catch (error) {
    return {is: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error)};
  }
}

port.on('message', (message: PlanMessage) => port.postMessage(answer(message)));
