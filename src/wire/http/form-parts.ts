import {HttpProblem} from './problem.ts';

type Bytes = AsyncIterator<Uint8Array, unknown>;

export interface FormPart {
  readonly name: string;
  /** True when the part is a file, with or without a name of its own. */
  readonly isFile: boolean;
  /** As it arrives. What is left of it when the next part is asked for is dropped. */
  readonly content: AsyncIterable<Uint8Array>;
}

const PARTS_MAX = 20;
const HEADER_BYTES_MAX = 16_384;
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const CARRIAGE_RETURN = 13;
const LINE_END = Buffer.from('\r\n');
const CLOSE = Buffer.from('--');
const DISPOSITION = /^content-disposition\s*:\s*form-data\s*;(.*)$/im;
const NAME = /(?:^|;)\s*name=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/i;
const FILE_NAME = /(?:^|;)\s*filename\*?=/i;

const malformed = (why: string) => new HttpProblem(400, `The form data is not well formed: ${why}`);

/** Undefined when the type is none of a form, or names no boundary. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType)) return undefined;
  const found = BOUNDARY.exec(contentType);
  return found?.[1] ?? found?.[2];
}

/** The parts of a form (RFC 7578), one after the other and never whole in memory. A form that breaks off fails. */
export async function* formParts(body: Bytes, boundary: string): AsyncGenerator<FormPart> {
  // The first delimiter may stand at the very beginning: as if an empty line were before it.
  const source = new Source(body, Buffer.from(`\r\n--${boundary}`), LINE_END);
  await drain(source.untilDelimiter());
  for (let count = 1; !(await source.isLast()); count += 1) {
    if (count > PARTS_MAX) throw malformed(`it has more than ${PARTS_MAX} parts`);
    const header = await source.header();
    yield {...describe(header), content: source.untilDelimiter()};
    if (!source.isAtDelimiter) await drain(source.untilDelimiter());
  }
}

async function drain(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _piece of content);
}

function describe(header: string): Pick<FormPart, 'name' | 'isFile'> {
  const disposition = DISPOSITION.exec(header)?.[1] ?? '';
  const name = NAME.exec(disposition);
  return {
    name: (name?.[1] ?? name?.[2] ?? '').replace(/\\(.)/g, '$1'),
    isFile: FILE_NAME.test(disposition),
  };
}

/** The bytes that have come and were not given out yet. */
class Source {
  readonly #body: Bytes;
  readonly #delimiter: Buffer;
  #rest: Buffer;
  /** True when the last bytes taken were a delimiter. */
  isAtDelimiter = false;

  constructor(body: Bytes, delimiter: Buffer, before: Buffer) {
    this.#body = body;
    this.#delimiter = delimiter;
    this.#rest = before;
  }

  /** All up to the next delimiter, which is taken away. */
  async *untilDelimiter(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#rest.indexOf(this.#delimiter);
      if (at >= 0) {
        const last = this.#rest.subarray(0, at);
        this.#rest = this.#rest.subarray(at + this.#delimiter.length);
        this.isAtDelimiter = true;
        if (last.length > 0) yield last;
        return;
      }
      const sure = this.#rest.length - this.#held();
      const piece = this.#rest.subarray(0, sure);
      this.#rest = this.#rest.subarray(sure);
      if (piece.length > 0) yield piece;
      await this.#more();
    }
  }

  /** After a delimiter: whether it was the closing one. */
  async isLast(): Promise<boolean> {
    this.isAtDelimiter = false;
    while (this.#rest.length < CLOSE.length) await this.#more();
    if (this.#rest.subarray(0, CLOSE.length).equals(CLOSE)) return true;
    const line = await this.#upTo(LINE_END);
    if (line.trim() !== '') throw malformed('something stands behind a boundary');
    return false;
  }

  async header(): Promise<string> {
    const lines: string[] = [];
    for (;;) {
      const line = await this.#upTo(LINE_END);
      if (line === '') return lines.join('\n');
      lines.push(line);
    }
  }

  async #upTo(end: Buffer): Promise<string> {
    for (;;) {
      const at = this.#rest.indexOf(end);
      if (at >= 0) {
        const text = this.#rest.subarray(0, at).toString();
        this.#rest = this.#rest.subarray(at + end.length);
        return text;
      }
      if (this.#rest.length > HEADER_BYTES_MAX) throw malformed('a header is too long');
      await this.#more();
    }
  }

  /** How many bytes at the end may be the beginning of a delimiter. */
  #held(): number {
    const rest = this.#rest;
    const from = Math.max(0, rest.length - this.#delimiter.length + 1);
    for (let at = rest.indexOf(CARRIAGE_RETURN, from); at >= 0; at = rest.indexOf(CARRIAGE_RETURN, at + 1)) {
      const length = rest.length - at;
      if (rest.subarray(at).equals(this.#delimiter.subarray(0, length))) return length;
    }
    return 0;
  }

  async #more(): Promise<void> {
    const next = await this.#body.next();
    if (next.done === true) throw malformed('it ends before its last boundary');
    const {buffer, byteOffset, length} = next.value;
    const piece = Buffer.from(buffer, byteOffset, length);
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
  }
}
