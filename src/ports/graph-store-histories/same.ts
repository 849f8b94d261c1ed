import {isDeepStrictEqual} from 'node:util';
import {expect} from 'vitest';
import type {Snapshot} from '../graph-store.ts';
import {answerOf} from './ask.ts';

/** Every object with all its edges, every count, and the schema. */
export async function sameSnapshots(real: Snapshot, model: Snapshot): Promise<void> {
  const where = `${real.branch} at ${real.at}`;
  same(real.kinds(), model.kinds(), `kinds of ${where}`);
  for (const {shape} of model.kinds()) {
    const include = shape.relationships.map(item => ({relationship: item.name, count: true}));
    const query = {kind: shape.name, include, count: true};
    same(await answerOf(real, query), await answerOf(model, query), `${shape.name} of ${where}`);
  }
  const everything = {kind: 'CoreNode', count: true, nodes: false};
  same(await answerOf(real, everything), await answerOf(model, everything), `count of ${where}`);
}

/** Fails with a readable difference; deep comparison by `expect` alone is too slow for every answer. */
export function same(answer: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(answer, expected)) expect(answer, what).toEqual(expected);
}
