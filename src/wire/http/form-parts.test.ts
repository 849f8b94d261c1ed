import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {boundaryOf, formParts} from './form-parts.ts';

interface Read {
  readonly name: string;
  readonly isFile: boolean;
  readonly content: Buffer;
}

/** The bytes in pieces that end at these places. */
async function* cut(bytes: Buffer, places: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const place of [...places].sort((a, b) => a - b)) {
    const to = Math.min(place, bytes.length);
    if (to > from) yield bytes.subarray(from, to);
    from = Math.max(from, to);
  }
  if (from < bytes.length) yield bytes.subarray(from);
}

async function read(bytes: Buffer, boundary: string, places: readonly number[] = []): Promise<Read[]> {
  const parts: Read[] = [];
  for await (const {name, isFile, content} of formParts(cut(bytes, places), boundary)) {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    parts.push({name, isFile, content: Buffer.concat(pieces)});
  }
  return parts;
}

function form(boundary: string, parts: readonly Read[]): Buffer {
  const written = parts.flatMap(({name, isFile, content}) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${isFile ? '; filename="x"' : ''}\r\n`,
    ),
    Buffer.from(isFile ? 'Content-Type: application/octet-stream\r\n\r\n' : '\r\n'),
    content,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]);
}

const refused = (bytes: string) => expect(read(Buffer.from(bytes), 'b')).rejects.toMatchObject({status: 400});

test('every form comes out as it went in, however it is cut into pieces', async () => {
  const boundary = fc.stringMatching(/^[A-Za-z0-9'()+_,./:=?-]{1,70}$/);
  const tricky = fc.constantFrom('\r', '\n', '\r\n', '\r\n-', '\r\n--', '--', '\0', 'x');
  const parts = fc.array(
    fc.record({
      name: fc.stringMatching(/^[a-z_]{1,10}$/),
      isFile: fc.boolean(),
      content: fc.oneof(
        fc.uint8Array({maxLength: 300}).map(bytes => Buffer.from(bytes)),
        fc.array(tricky, {maxLength: 60}).map(texts => Buffer.from(texts.join(''))),
      ),
    }),
    {maxLength: 4},
  );
  const places = fc.array(fc.nat(1500), {maxLength: 60});
  await fc.assert(
    fc.asyncProperty(boundary, parts, places, async (edge, given, cuts) => {
      // A content that holds the delimiter is no content of this form; neither does one that begins with its rest.
      fc.pre(
        given.every(
          ({content}) => !content.includes(`--${edge}`) && !`\r\n${content}`.includes(`\r\n--${edge}`),
        ),
      );
      expect(await read(form(edge, given), edge, cuts)).toEqual(given);
    }),
    {numRuns: 500},
  );
});

test('beginnings of the boundary within a content are content', async () => {
  const content = Buffer.from('\r\n--bound\r\n--boundar\r\n-\r\n--boundarx\r');
  const given = [{name: 'file', isFile: true, content}];
  for (let size = 1; size < 40; size += 1) {
    const bytes = form('boundary', given);
    const places = Array.from({length: Math.ceil(bytes.length / size)}, (_, n) => n * size);
    expect(await read(bytes, 'boundary', places)).toEqual(given);
  }
});

test('what is before the first boundary and behind the last is ignored', async () => {
  const inner = form('b', [{name: 'a', isFile: false, content: Buffer.from('1')}]).toString();
  expect(await read(Buffer.from(`words before\r\n${inner}words behind --b`), 'b')).toHaveLength(1);
});

test('a part that nobody reads is passed over', async () => {
  const given = ['a', 'b', 'c'].map(name => ({name, isFile: true, content: Buffer.alloc(100_000, name)}));
  const names: string[] = [];
  for await (const {name} of formParts(cut(form('b', given), [7, 150_000]), 'b')) names.push(name);
  expect(names).toEqual(['a', 'b', 'c']);
});

test('a part that somebody has had enough of is passed over too', async () => {
  const given = ['a', 'b'].map(name => ({name, isFile: true, content: Buffer.alloc(100_000, name)}));
  const names: string[] = [];
  for await (const {name, content} of formParts(cut(form('b', given), [7, 50_000, 150_000]), 'b')) {
    names.push(name);
    for await (const piece of content) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
  }
  expect(names).toEqual(['a', 'b']);
});

test.each([
  ['name="file"; filename="a b.txt"', 'file', true],
  ['name=file; filename=a', 'file', true],
  ['filename="name=other"; name="file"', 'file', true],
  ['name="fi\\"le"', 'fi"le', false],
  ['name="file"; filename*=UTF-8\'\'%e2%82%ac', 'file', true],
  ['name=""', '', false],
  ['something="else"', '', false],
])('%s is read', async (disposition, name, isFile) => {
  const text = `--b\r\nX-Other: 1\r\nCONTENT-disposition: form-data; ${disposition}\r\n\r\nx\r\n--b--\r\n`;
  expect(await read(Buffer.from(text), 'b')).toEqual([{name, isFile, content: Buffer.from('x')}]);
});

describe('a form is refused', () => {
  test('that ends too early, wherever', async () => {
    const whole = form('b', [{name: 'file', isFile: true, content: Buffer.from('some bytes')}]).toString();
    const last = whole.lastIndexOf('--b--') + '--b--'.length;
    for (let length = 0; length < last; length += 1) await refused(whole.slice(0, length));
    expect(await read(Buffer.from(whole.slice(0, last)), 'b')).toHaveLength(1);
  });

  test('with something behind a boundary, headers without end, or too many parts', async () => {
    await refused('--bx\r\n\r\n\r\n--b--');
    await refused(`--b\r\nX: ${'x'.repeat(20_000)}`);
    const part = {name: 'a', isFile: false, content: Buffer.alloc(0)};
    await refused(
      form(
        'b',
        Array.from({length: 21}, () => part),
      ).toString(),
    );
  });
});

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['Multipart/Form-Data; charset=utf-8; boundary="a b"', 'a b'],
  ['multipart/form-data', undefined],
  ['multipart/mixed; boundary=abc', undefined],
  ['application/json', undefined],
  [undefined, undefined],
])('the boundary of %s is %s', (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary);
});
