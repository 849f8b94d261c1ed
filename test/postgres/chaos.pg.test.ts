import {expect, test} from 'vitest';
import {chaos} from './chaos.ts';

test('servers and the database are killed at random, and nothing acknowledged is lost', async () => {
  const report = await chaos({servers: 2, acknowledgedMax: 250, secondsMax: 50});
  expect(report.problems).toEqual([]);
  expect(report.kills).toBeGreaterThan(2);
});
