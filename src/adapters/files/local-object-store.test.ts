import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {objectStoreContract} from '../../ports/object-store-contract.ts';
import {systemClock} from '../clock/system-clock.ts';
import {timeOrderedIds} from '../ids/time-ordered-ids.ts';
import {openLocalObjectStore} from './local-object-store.ts';

const ids = timeOrderedIds(systemClock);
const newFolder = () => mkdtempSync(join(tmpdir(), 'trellis-objects-'));
const remove = (folder: string) => rmSync(folder, {recursive: true, force: true});

objectStoreContract('local folder', async () => {
  const folder = newFolder();
  return {
    store: await openLocalObjectStore(folder, ids),
    kept: async () => readdirSync(folder),
    close: async () => remove(folder),
  };
});

test('an object is a file of the folder, and what a killed process left is removed', async () => {
  const folder = newFolder();
  onTestFinished(() => remove(folder));
  writeFileSync(join(folder, `${ids.nodeId()}.part`), 'half');
  const store = await openLocalObjectStore(folder, ids);
  expect(readdirSync(folder)).toEqual([]);
  const outcome = await store.put(
    (async function* () {
      yield Buffer.from('whole');
    })(),
    {bytesMax: 10},
  );
  if (outcome.is !== 'stored') throw new Error('it was too large');
  const path = join(folder, outcome.object.identifier);
  expect(readFileSync(path, 'utf8')).toBe('whole');
  const again = await openLocalObjectStore(folder, ids);
  expect(await again.size(outcome.object.identifier)).toBe(statSync(path).size);
});

test('content that breaks off at once leaves nothing, not even while its file is being opened', async () => {
  const folder = newFolder();
  onTestFinished(() => remove(folder));
  const store = await openLocalObjectStore(folder, ids);
  const broken = Array.from({length: 50}, async () => {
    const content = (async function* () {
      yield* [] as Uint8Array[];
      throw new Error('broken off');
    })();
    await expect(store.put(content, {bytesMax: 10})).rejects.toThrow('broken off');
  });
  await Promise.all(broken);
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that takes nothing is told in a sentence', async () => {
  const folder = newFolder();
  const store = await openLocalObjectStore(join(folder, 'objects'), ids);
  remove(folder);
  const content = (async function* () {
    yield Buffer.from('x');
  })();
  await expect(store.put(content, {bytesMax: 10})).rejects.toThrow();
});
