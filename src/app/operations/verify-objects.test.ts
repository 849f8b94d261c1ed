import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {systemClock} from '../../adapters/clock/system-clock.ts';
import {openLocalObjectStore} from '../../adapters/files/local-object-store.ts';
import {timeOrderedIds} from '../../adapters/ids/time-ordered-ids.ts';
import {openSqliteGraphStore} from '../../adapters/sqlite/sqlite-graph-store.ts';
import {ALL_KINDS, chosen, MAIN, reshaped, SERVICE} from '../../ports/graph-store-fixtures.ts';
import {verifyAll} from './verify-store.ts';

/** A kind in the place of artifacts: what counts is what its objects say of stored bytes. */
const TAG = ALL_KINDS.find(({shape}) => shape.name === 'TestTag')!;
const [NAME] = TAG.shape.attributes;
const ARTIFACT = reshaped(TAG, {
  name: 'CoreArtifact',
  attributes: ['name', 'storage_id', 'checksum'].map((name, place) => ({
    ...NAME!,
    id: `artifact-${name}`,
    name,
    ...(place === 0 ? {} : {indexed: false}),
  })),
});

async function openWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-verify-'));
  const ids = timeOrderedIds(systemClock);
  const store = await openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0});
  const objects = await openLocalObjectStore(join(folder, 'storage'), ids);
  onTestFinished(async () => {
    await objects.close();
    await store.close();
    rmSync(folder, {recursive: true, force: true});
  });
  await store.write(MAIN, SERVICE, draft => draft.putKind(ARTIFACT));
  async function* bytes(text: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  return {
    store,
    objects,
    pathOf: (identifier: string) => join(folder, 'storage', identifier),
    async make(name: string): Promise<string> {
      const outcome = await objects.put(bytes(`the content of ${name}`), {bytesMax: 1000});
      if (outcome.is !== 'stored') throw new Error(outcome.is);
      const {identifier, checksum} = outcome.object;
      const attributes = chosen({name, storage_id: identifier, checksum});
      await store.write(MAIN, SERVICE, draft =>
        draft.create({id: ids.nodeId(), kind: 'CoreArtifact', attributes}),
      );
      return identifier;
    },
  };
}

test('stored objects that artifacts speak of are read and compared with their checksums', async () => {
  const world = await openWorld();
  const [whole, flipped, gone] = [await world.make('a'), await world.make('b'), await world.make('c')];
  expect(await verifyAll(world)).toMatchObject({checked: {objects: 3}, problems: []});
  const bytes = readFileSync(world.pathOf(flipped));
  bytes[3]! ^= 1;
  writeFileSync(world.pathOf(flipped), bytes);
  rmSync(world.pathOf(gone));
  const {problems} = await verifyAll(world);
  expect([...problems].sort()).toEqual(
    [`the stored object ${flipped} is damaged`, `the stored object ${gone} is missing`].sort(),
  );
  expect(problems.join()).not.toContain(whole);
});
