import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {must} from '../../base/assert.ts';
import {parseObjectId} from '../../domain/storage/stored-object.ts';
import {objectStoreContract} from '../../ports/object-store-contract.ts';
import {systemClock} from '../clock/system-clock.ts';
import {timeOrderedIds} from '../ids/time-ordered-ids.ts';
import {startS3, type TestS3} from './s3-harness.ts';
import {S3ObjectStore} from './s3-object-store.ts';

const BUCKET = 'objects';
const ids = timeOrderedIds(systemClock);
const folder = mkdtempSync(join(tmpdir(), 'trellis-s3-'));
let s3: TestS3;

beforeAll(async () => {
  s3 = await startS3(folder, BUCKET);
});

afterAll(async () => {
  await s3.close();
  rmSync(folder, {recursive: true, force: true});
});

/** This server does not know how to give up an upload in parts; it keeps the parts apart from the objects. */
const isObject = (name: string) => !name.startsWith('._S3rver_uploads');

const open = (bucket = BUCKET) => new S3ObjectStore({...s3.options, bucket}, ids);

objectStoreContract('S3', async () => {
  const store = open();
  return {
    store,
    kept: async () => readdirSync(join(folder, BUCKET), {recursive: true}).map(String).filter(isObject),
    close: () => store.close(),
  };
});

test('a bucket that is not there is told in a sentence', async () => {
  const store = open('nowhere');
  const content = (async function* () {
    yield Buffer.from('x');
  })();
  await expect(store.put(content, {bytesMax: 10})).rejects.toMatchObject({code: 'UNAVAILABLE'});
  const identifier = must(parseObjectId('01890000-0000-7000-8000-000000000009'), 'an identifier');
  await expect(store.open(identifier)).rejects.toMatchObject({code: 'UNAVAILABLE'});
  await store.close();
});
