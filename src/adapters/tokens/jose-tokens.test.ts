import {expect, test} from 'vitest';
import {sessionClaims} from '../../domain/access/session-claims.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {joseTokens} from './jose-tokens.ts';

const id = '00000000-0000-4000-8000-000000000001' as NodeId;
const claims = sessionClaims('access', id, id, 1000, 60);

test('what one signs, whoever has the same secret reads, and nobody else', async () => {
  const token = await joseTokens('one secret of some length').sign(claims);
  expect(await joseTokens('one secret of some length').read(token)).toEqual(claims);
  expect(await joseTokens('another secret of that length').read(token)).toBeUndefined();
});

test('a text read before is not confused with one that looks like it', async () => {
  const tokens = joseTokens('one secret of some length');
  const token = await tokens.sign(claims);
  expect(await tokens.read(token)).toEqual(claims);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const lastLetters = Array.from(letters, letter => token.slice(0, -1) + letter).filter(
    each => each !== token,
  );
  for (const other of [`${token}x`, token.slice(0, -1), `${token} `, '', '..', ...lastLetters]) {
    expect(await tokens.read(other)).toBeUndefined();
  }
});
