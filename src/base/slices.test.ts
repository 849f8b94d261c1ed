import {expect, test} from 'vitest';
import {Slices} from './slices.ts';

test('a slice is over after a moment, and others have their turn before the next', async () => {
  const slices = new Slices();
  while (!slices.isOver);
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  await slices.next();
  expect(hadTurn).toBe(true);
});
