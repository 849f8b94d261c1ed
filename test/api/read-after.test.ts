import {afterAll, expect, test} from 'vitest';
import {openService} from './open-service.ts';

const service = await openService();
afterAll(() => service.close());

test('a request that names a commit to read after is answered once that is there, and refused when it is none', async () => {
  const readAfter = async (commit: string) =>
    (await service.ask('/api/schema/summary', {headers: {'x-read-after': commit}})).status;
  const made = await service.ask('/graphql', {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({query: 'mutation { BranchCreate(data: {name: "later"}) { ok } }'}),
  });
  expect(await readAfter(String(made.headers.get('x-commit')))).toBe(200);
  expect(await readAfter('9007199254740991')).toBe(503);
  expect(await readAfter('yesterday')).toBe(400);
});
