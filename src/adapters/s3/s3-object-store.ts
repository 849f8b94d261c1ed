import {createHash} from 'node:crypto';
import {Readable} from 'node:stream';
import {
  GetObjectCommand,
  HeadObjectCommand,
  type ObjectCannedACL,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import {Upload} from '@aws-sdk/lib-storage';
import {unavailable} from '../../domain/errors.ts';
import type {ByteRange} from '../../domain/storage/byte-range.ts';
import type {ObjectId} from '../../domain/storage/stored-object.ts';
import type {Ids} from '../../ports/ids.ts';
import type {Bytes, ObjectStore, OpenedObject, PutOutcome} from '../../ports/object-store.ts';
import {bounded, TooLarge} from '../files/bounded.ts';

export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** Absent: Amazon's own. */
  readonly endpoint?: string;
  readonly acl?: string;
  /** Absent: as the environment of the process says. */
  readonly credentials?: S3ClientConfig['credentials'];
}

const PART_BYTES = 8_388_608;
const PARTS_AT_ONCE = 3;

/** One object of a bucket for each object of ours, under its identifier. */
export class S3ObjectStore implements ObjectStore {
  readonly #client: S3Client;
  readonly #options: S3Options;
  readonly #ids: Ids;

  constructor(options: S3Options, ids: Ids) {
    const {region, endpoint, credentials} = options;
    this.#options = options;
    this.#ids = ids;
    this.#client = new S3Client({
      region,
      // Servers other than Amazon's often know neither buckets as host names nor the newer checksums.
      ...(endpoint === undefined ? {} : {endpoint, forcePathStyle: true}),
      ...(credentials === undefined ? {} : {credentials}),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async put(content: Bytes, {bytesMax}: {readonly bytesMax: number}): Promise<PutOutcome> {
    const identifier = this.#ids.nodeId() as string as ObjectId;
    const hash = createHash('md5');
    let byteLength = 0;
    const pieces = bounded(content, bytesMax, piece => {
      byteLength += piece.length;
      hash.update(piece);
    });
    const body = Readable.from(pieces, {objectMode: false});
    let broken: Error | undefined;
    body.on('error', error => {
      broken = error;
    });
    const {bucket, acl} = this.#options;
    const upload = new Upload({
      client: this.#client,
      params: {
        Bucket: bucket,
        Key: identifier,
        Body: body,
        ContentType: 'application/octet-stream',
        ...(acl === undefined ? {} : {ACL: acl as ObjectCannedACL}),
      },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
      leavePartsOnError: false,
    });
    try {
      await upload.done();
    } catch (error) {
      body.destroy();
      if (broken instanceof TooLarge) return {is: 'too-large'};
      throw broken ?? away(error);
    }
    return {is: 'stored', object: {identifier, checksum: hash.digest('hex'), byteLength}};
  }

  size(identifier: ObjectId): Promise<number | undefined> {
    return unlessMissing(async () => {
      const {ContentLength} = await this.#client.send(new HeadObjectCommand(this.#named(identifier)));
      return ContentLength ?? 0;
    });
  }

  open(identifier: ObjectId, range?: ByteRange): Promise<OpenedObject | undefined> {
    return unlessMissing(async () => {
      const part = range === undefined ? {} : {Range: `bytes=${range.first}-${range.last}`};
      const found = await this.#client.send(new GetObjectCommand({...this.#named(identifier), ...part}));
      const whole = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1];
      return {
        byteLength: whole === undefined ? (found.ContentLength ?? 0) : Number(whole),
        content: found.Body as Readable,
      };
    });
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  #named(identifier: ObjectId) {
    return {Bucket: this.#options.bucket, Key: identifier};
  }
}

async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NotFound' || name === 'NoSuchKey') return undefined;
    throw away(error);
  }
}

const away = (error: unknown): Error => {
  const why = error instanceof Error ? error.name : String(error);
  return unavailable(`The object storage does not answer as it should (${why})`, {cause: error});
};
