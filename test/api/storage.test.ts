import {createHash, randomBytes} from 'node:crypto';
import {readdirSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {ADMIN_KEY, openService} from './open-service.ts';

const BYTES_MAX = 300_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let own: Awaited<ReturnType<typeof openService>>;

beforeAll(async () => {
  own = await openService({SERVICE_STORAGE_MAX_FILE_SIZE: String(BYTES_MAX)});
});

afterAll(() => own.close());

interface Stored {
  readonly identifier: string;
  readonly checksum: string;
}

const md5 = (content: Uint8Array | string) => createHash('md5').update(content).digest('hex');

const postContent = (body: unknown) =>
  own.ask('/api/storage/upload/content', {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify(body),
  });

function form(content: Uint8Array, field = 'file'): FormData {
  const data = new FormData();
  data.append('note', 'of no use');
  data.append(field, new Blob([new Uint8Array(content)]), 'some name.bin');
  return data;
}

const postFile = (body: FormData) => own.ask('/api/storage/upload/file', {method: 'POST', body});

async function stored(response: Response): Promise<Stored> {
  expect(response.status).toBe(200);
  return (await response.json()) as Stored;
}

const get = (identifier: string, headers: Record<string, string> = {}) =>
  own.ask(`/api/storage/object/${identifier}`, {headers});

const envelope = (status: number, message: string) => ({
  data: null,
  errors: [{message, extensions: {code: status}}],
});

const kept = () => readdirSync(join(own.folder, 'storage'));

describe('an upload', () => {
  test('of a text answers its identifier and the MD5 of its UTF-8', async () => {
    const text = 'Grüße, 網路 🕸';
    const {identifier, checksum} = await stored(await postContent({content: text}));
    expect(identifier).toMatch(UUID);
    expect(checksum).toBe(md5(text));
    expect(await (await get(identifier)).text()).toBe(text);
  });

  test('of an empty text is an empty object', async () => {
    const {identifier, checksum} = await stored(await postContent({content: ''}));
    expect(checksum).toBe('d41d8cd98f00b204e9800998ecf8427e');
    const response = await get(identifier);
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('of a file keeps its bytes as they are', async () => {
    const content = randomBytes(200_001);
    const {identifier, checksum} = await stored(await postFile(form(content)));
    expect(checksum).toBe(md5(content));
    const response = await get(identifier);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-length')).toBe('200001');
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
  });

  test('without what it should carry is refused with the place', async () => {
    const none = await postContent({});
    expect([none.status, await none.json()]).toMatchObject([
      422,
      {detail: [{loc: ['body', 'content'], msg: 'Field required', type: 'missing'}]},
    ]);
    expect((await postContent({content: 7})).status).toBe(422);
    for (const body of [form(Buffer.from('x'), 'other'), JSON.stringify({})]) {
      const response = await own.ask('/api/storage/upload/file', {
        method: 'POST',
        body,
        ...(typeof body === 'string' ? {headers: {'content-type': 'application/json'}} : {}),
      });
      expect([response.status, await response.json()]).toMatchObject([
        422,
        {detail: [{loc: ['body', 'file'], msg: 'Field required', type: 'missing'}]},
      ]);
    }
    const field = new FormData();
    field.append('file', 'a text, not a file');
    expect((await postFile(field)).status).toBe(422);
    const strange = await own.ask('/api/storage/upload/file?branhc=main', {
      method: 'POST',
      body: form(Buffer.from('x')),
    });
    expect(strange.status).toBe(422);
  });

  test('of exactly the allowed size is taken, of one byte more it is 413 and nothing is kept', async () => {
    const before = kept();
    const over = randomBytes(BYTES_MAX + 1);
    const refused = await postFile(form(over));
    expect([refused.status, await refused.json()]).toEqual([
      413,
      envelope(413, `The upload has more than ${BYTES_MAX} bytes; nothing of it was kept`),
    ]);
    expect((await postContent({content: 'x'.repeat(BYTES_MAX + 1)})).status).toBe(413);
    expect(kept()).toEqual(before);
    await stored(await postFile(form(over.subarray(1))));
    await stored(await postContent({content: 'x'.repeat(BYTES_MAX)}));
  });

  test('that is far too large is refused before it is read, and the connection goes on', async () => {
    const before = kept();
    const response = await postFile(form(randomBytes(20 * BYTES_MAX)));
    expect(response.status).toBe(413);
    await response.body?.cancel();
    expect(kept()).toEqual(before);
    await stored(await postContent({content: 'still here'}));
  });

  test('that breaks off in the middle leaves nothing', async () => {
    const before = kept();
    const head = [
      'POST /api/storage/upload/file HTTP/1.1',
      'host: localhost',
      `x-service-key: ${ADMIN_KEY}`,
      'content-type: multipart/form-data; boundary=bbb',
      'content-length: 250000',
      '',
      '--bbb',
      'content-disposition: form-data; name="file"; filename="a"',
      '',
      '',
    ].join('\r\n');
    const {hostname, port} = new URL(own.address);
    await new Promise<void>(resolve => {
      const socket = connect(Number(port), hostname);
      socket.on('close', () => resolve());
      socket.write(head);
      const whenBegun = () => {
        if (kept().length > before.length) socket.destroy();
        else setImmediate(whenBegun);
      };
      socket.write(randomBytes(100_000), whenBegun);
    });
    while (kept().length > before.length) await new Promise(resolve => setImmediate(resolve));
    expect(kept()).toEqual(before);
  });

  test('whose form ends before its file does is refused, and nothing is kept', async () => {
    const before = kept();
    const body = `--bbb\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of it`;
    const response = await own.ask('/api/storage/upload/file', {
      method: 'POST',
      headers: {'content-type': 'multipart/form-data; boundary=bbb'},
      body,
    });
    expect(response.status).toBe(400);
    expect(kept()).toEqual(before);
    const noBoundary = await own.ask('/api/storage/upload/file', {
      method: 'POST',
      headers: {'content-type': 'multipart/form-data'},
      body,
    });
    expect(noBoundary.status).toBe(400);
  });

  test('needs a credential', async () => {
    for (const [path, body] of [
      ['/api/storage/upload/content', JSON.stringify({content: 'x'})],
      ['/api/storage/upload/file', form(Buffer.from('x'))],
    ] as const) {
      const response = await fetch(`${own.address}${path}`, {
        method: 'POST',
        body,
        ...(typeof body === 'string' ? {headers: {'content-type': 'application/json'}} : {}),
      });
      expect([response.status, await response.json()]).toEqual([
        401,
        {errors: ['Authentication is required']},
      ]);
    }
  });
});

describe('a download', () => {
  test('takes ranges', async () => {
    const {identifier} = await stored(await postContent({content: '0123456789'}));
    const part = await get(identifier, {range: 'bytes=2-4'});
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
    ]);
    expect(part.headers.get('content-length')).toBe('3');
    expect(await (await get(identifier, {range: 'bytes=-2'})).text()).toBe('89');
    expect(await (await get(identifier, {range: 'bytes=0-1,4-5'})).text()).toBe('0123456789');
    const outside = await get(identifier, {range: 'bytes=10-'});
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    const other = await get(identifier, {range: 'bytes=2-4', 'if-range': '"another"'});
    expect(other.status).toBe(200);
  });

  test('knows what the caller already has', async () => {
    const {identifier} = await stored(await postContent({content: 'same'}));
    const first = await get(identifier);
    const etag = first.headers.get('etag');
    expect(etag).toBe(`"${identifier}"`);
    expect(first.headers.get('accept-ranges')).toBe('bytes');
    const again = await get(identifier, {'if-none-match': `"x", ${etag}`});
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get(identifier, {range: 'bytes=0-1', 'if-range': etag!})).status).toBe(206);
  });

  test('is described to those who ask for its head only', async () => {
    const {identifier} = await stored(await postContent({content: '0123456789'}));
    const response = await own.ask(`/api/storage/object/${identifier}`, {method: 'HEAD'});
    expect([response.status, response.headers.get('content-length'), response.headers.get('etag')]).toEqual([
      200,
      '10',
      `"${identifier}"`,
    ]);
    expect(await response.text()).toBe('');
  });

  test('works for those who are not known where anonymous access is on', async () => {
    const {identifier} = await stored(await postContent({content: 'open'}));
    expect((await fetch(`${own.address}/api/storage/object/${identifier}`)).status).toBe(200);
    expect((await get(identifier.toUpperCase())).status).toBe(200);
  });

  test.each([
    '01890000-0000-7000-8000-000000000009',
    'nothing',
    '..%2F..%2Ftrellis.db',
    '..%2fsecret-key',
    'a%00b',
    'x'.repeat(80),
  ])('of %s is 404', async identifier => {
    const response = await get(identifier);
    const name = decodeURIComponent(identifier);
    expect([response.status, await response.json()]).toEqual([
      404,
      envelope(404, `Unable to find the node ${name} / StorageObject in the database.`),
    ]);
  });

  test('goes nowhere outside by a path', async () => {
    const response = await own.ask('/api/storage/object/../../../etc/passwd');
    expect(response.status).toBe(404);
  });
});
