import {mkdtemp, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {loadSecretKey} from './secret-key.ts';

test('first starts at the same moment agree on one key and leave nothing else behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-'));
  onTestFinished(() => rm(folder, {recursive: true}));
  const keys = await Promise.all(Array.from({length: 8}, () => loadSecretKey(folder)));
  expect(new Set(keys).size).toBe(1);
  expect(await loadSecretKey(folder)).toBe(keys[0]);
  expect(await readdir(folder)).toEqual(['secret.key']);
});
