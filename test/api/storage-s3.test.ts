import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {startS3, type TestS3} from '../../src/adapters/s3/s3-harness.ts';
import {openService} from './open-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'trellis-bucket-'));
let s3: TestS3;

beforeAll(async () => {
  s3 = await startS3(folder, 'objects');
  vi.stubEnv('AWS_ACCESS_KEY_ID', s3.options.credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', s3.options.credentials.secretAccessKey);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
  rmSync(folder, {recursive: true, force: true});
});

test('a service with a bucket stores there, and answers as one with a folder does', async () => {
  const own = await openService({
    SERVICE_STORAGE_DRIVER: 's3',
    SERVICE_STORAGE_BUCKET_NAME: 'objects',
    SERVICE_STORAGE_ENDPOINT_URL: s3.options.endpoint.replace('http://', ''),
    SERVICE_STORAGE_USE_SSL: 'false',
  });
  try {
    const stored = await own.ask('/api/storage/upload/content', {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({content: '0123456789'}),
    });
    expect(stored.status).toBe(200);
    const {identifier} = (await stored.json()) as {identifier: string};
    const whole = await own.ask(`/api/storage/object/${identifier}`);
    expect([whole.status, whole.headers.get('content-type'), await whole.text()]).toEqual([
      200,
      'application/octet-stream',
      '0123456789',
    ]);
    const part = await own.ask(`/api/storage/object/${identifier}`, {headers: {range: 'bytes=2-4'}});
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      'bytes 2-4/10',
      '234',
    ]);
    const missing = await own.ask('/api/storage/object/01890000-0000-7000-8000-000000000009');
    expect(missing.status).toBe(404);
  } finally {
    await own.close();
  }
});

test('a service that is told to use a bucket and not which does not start', async () => {
  await expect(openService({SERVICE_STORAGE_DRIVER: 's3'})).rejects.toThrow(
    'SERVICE_STORAGE_BUCKET_NAME names no bucket; S3 storage needs one.',
  );
});
