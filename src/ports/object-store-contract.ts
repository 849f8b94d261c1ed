import {createHash, randomBytes} from 'node:crypto';
import {describe, expect, onTestFinished, test} from 'vitest';
import {must} from '../base/assert.ts';
import type {ByteRange} from '../domain/storage/byte-range.ts';
import {type ObjectId, parseObjectId} from '../domain/storage/stored-object.ts';
import type {ObjectStore} from './object-store.ts';

export interface ObjectStoreWorld {
  readonly store: ObjectStore;
  /** Names of all that is kept, whole or by half. */
  kept(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const MEGABYTE = 1_048_576;
const ROOMY = {bytesMax: 64 * MEGABYTE};

async function* pieces(content: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

/** What every backend of the object store does. */
export function objectStoreContract(name: string, open: () => Promise<ObjectStoreWorld>): void {
  async function world() {
    const opened = await open();
    onTestFinished(() => opened.close());
    const {store} = opened;
    async function put(content: Uint8Array) {
      const outcome = await store.put(pieces(content), ROOMY);
      expect(outcome.is).toBe('stored');
      return (outcome as Extract<typeof outcome, {is: 'stored'}>).object;
    }
    async function read(identifier: ObjectId, range?: ByteRange): Promise<Buffer> {
      const opened = must(await store.open(identifier, range), identifier);
      const read: Uint8Array[] = [];
      for await (const piece of opened.content) read.push(piece);
      return Buffer.concat(read);
    }
    return {...opened, put, read};
  }

  describe(`${name}: object-store contract`, () => {
    test('gives back the bytes, their number and their MD5', async () => {
      const {store, put, read} = await world();
      const content = Buffer.from('hello');
      const object = await put(content);
      expect(object).toMatchObject({checksum: '5d41402abc4b2a76b9719d911017c592', byteLength: 5});
      expect(parseObjectId(object.identifier)).toBe(object.identifier);
      expect(await read(object.identifier)).toEqual(content);
      expect(await store.size(object.identifier)).toBe(5);
    });

    test('keeps nothing as well as much', async () => {
      const {store, put, read} = await world();
      const empty = await put(Buffer.alloc(0));
      expect(empty).toMatchObject({checksum: 'd41d8cd98f00b204e9800998ecf8427e', byteLength: 0});
      expect(await read(empty.identifier)).toEqual(Buffer.alloc(0));
      expect(await store.size(empty.identifier)).toBe(0);
      const content = randomBytes(13 * MEGABYTE + 7);
      const large = await put(content);
      expect(large.checksum).toBe(createHash('md5').update(content).digest('hex'));
      expect((await read(large.identifier)).equals(content)).toBe(true);
    });

    test('gives the same content an identifier of its own each time', async () => {
      const {put} = await world();
      const [a, b] = [await put(Buffer.from('same')), await put(Buffer.from('same'))];
      expect(a.identifier).not.toBe(b.identifier);
      expect(a.checksum).toBe(b.checksum);
    });

    test('reads a part', async () => {
      const {put, read} = await world();
      const {identifier} = await put(Buffer.from('0123456789'));
      expect(String(await read(identifier, {first: 2, last: 4}))).toBe('234');
      expect(String(await read(identifier, {first: 9, last: 9}))).toBe('9');
    });

    test('knows nothing of what was never stored', async () => {
      const {store} = await world();
      const identifier = must(parseObjectId('01890000-0000-7000-8000-000000000009'), 'an identifier');
      expect(await store.open(identifier)).toBeUndefined();
      expect(await store.open(identifier, {first: 0, last: 1})).toBeUndefined();
      expect(await store.size(identifier)).toBeUndefined();
    });

    test('takes exactly as much as is allowed, and keeps nothing of more', async () => {
      const {store, kept} = await world();
      const before = await kept();
      const bytesMax = 18 * MEGABYTE;
      const content = randomBytes(bytesMax + 1);
      expect(await store.put(pieces(content), {bytesMax})).toEqual({is: 'too-large'});
      expect(await kept()).toEqual(before);
      const {is} = await store.put(pieces(content.subarray(1)), {bytesMax});
      expect(is).toBe('stored');
    });

    test('keeps nothing of content that breaks off', async () => {
      const {store, kept} = await world();
      const before = await kept();
      async function* broken() {
        yield* pieces(randomBytes(18 * MEGABYTE));
        throw new Error('the line went dead');
      }
      await expect(store.put(broken(), ROOMY)).rejects.toThrow('the line went dead');
      expect(await kept()).toEqual(before);
    });

    test('takes many at once', async () => {
      const {put, read} = await world();
      const contents = Array.from({length: 12}, () => randomBytes(100_000));
      const objects = await Promise.all(contents.map(put));
      for (const [place, {identifier}] of objects.entries()) {
        expect((await read(identifier)).equals(contents[place]!)).toBe(true);
      }
    });

    test('lets go of an object whose reader has had enough', async () => {
      const {store, put} = await world();
      const {identifier} = await put(randomBytes(3 * MEGABYTE));
      const {content} = must(await store.open(identifier), identifier);
      for await (const piece of content) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
    });
  });
}
