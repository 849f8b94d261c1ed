import type {Awaitable} from '../../../base/awaitable.ts';
import {Slices} from '../../../base/slices.ts';
import type {Listing} from '../meaning.ts';
import type {EdgeSource} from '../types/kind-types.ts';
import type {WriteRun, Writer} from './write-run.ts';

/** A field of a connection: its edges, row by row, or anything else. */
export type ConnectionField = {readonly prefix: string} & (
  | {readonly edges: (listing: Listing) => readonly EdgeSource[]; readonly edge: Writer}
  | {readonly write: Writer}
);

/** Lists with fewer rows, those below them included, are written at once. */
const ROWS_AT_ONCE_MAX = 500;

/** Writes a list, and a long one piece by piece, so that nobody else waits for the whole of it. */
export class ConnectionWriter {
  readonly #fields: readonly ConnectionField[];

  constructor(fields: readonly ConnectionField[]) {
    this.#fields = fields;
  }

  write(listing: Listing, run: WriteRun): Awaitable<string> {
    return isLong(listing) ? this.#writeLong(listing, run) : this.#writeAtOnce(listing, run);
  }

  #writeAtOnce(listing: Listing, run: WriteRun): string {
    let text = '';
    for (const field of this.#fields) {
      const value =
        'edge' in field ? writeEdges(field.edges(listing), field.edge, run) : field.write(listing, run);
      text += field.prefix + value;
    }
    return text === '' ? '{}' : `${text}}`;
  }

  async #writeLong(listing: Listing, run: WriteRun): Promise<string> {
    const texts: string[] = [];
    for (const field of this.#fields) {
      const value =
        'edge' in field
          ? await writeInSlices(field.edges(listing), field.edge, run)
          : field.write(listing, run);
      texts.push(field.prefix, value);
    }
    return texts.length === 0 ? '{}' : `${texts.join('')}}`;
  }
}

function isLong({page}: Listing): boolean {
  let rows = page.found.length;
  for (const {included} of page.found) {
    if (rows > ROWS_AT_ONCE_MAX) return true;
    for (const {found} of included) rows += found.length;
  }
  return rows > ROWS_AT_ONCE_MAX;
}

function writeEdges(edges: readonly EdgeSource[], write: Writer, run: WriteRun): string {
  let text = '[';
  let separator = '';
  for (const edge of edges) {
    text += separator + write(edge, run);
    separator = ',';
  }
  return `${text}]`;
}

async function writeInSlices(edges: readonly EdgeSource[], write: Writer, run: WriteRun): Promise<string> {
  const texts: string[] = [];
  const slices = new Slices();
  for (const edge of edges) {
    texts.push(write(edge, run));
    if (slices.isOver) await slices.next();
  }
  return `[${texts.join(',')}]`;
}
