import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import type {FastifyInstance} from 'fastify';
import {sha1Hex} from '../../base/hash.ts';
import {isKnown} from '../rest/etag.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

export const SCRIPT = 'text/javascript; charset=utf-8';
export const STYLE = 'text/css; charset=utf-8';

export interface PageFile {
  readonly type: string;
  readonly path: string;
  /** What is changed in a file of somebody else before it is served. */
  readonly edit?: (text: string) => string;
}

interface Asset {
  readonly type: string;
  readonly text: string;
  /** Differs when the text does. */
  readonly tag: string;
}

/** A file of a package that says where it is but exports nothing for browsers. */
export function inPackage(name: string, file: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);
}

/**
 * The scripts and styles of a page that the service serves. They are the same for everybody, so nobody is asked who
 * they are. Each is read when first asked for and kept.
 */
export class PageFiles<Name extends string> {
  readonly #prefix: string;
  readonly #files: Readonly<Record<Name, PageFile>>;
  readonly #kept = new Map<Name, Promise<Asset>>();

  constructor(prefix: string, files: Readonly<Record<Name, PageFile>>) {
    this.#prefix = prefix;
    this.#files = files;
  }

  addTo(server: FastifyInstance): void {
    for (const name of Object.keys(this.#files) as Name[]) {
      server.get(`${this.#prefix}/${name}`, async (request, reply) => {
        const {type, text, tag} = await this.#asset(name);
        const etag = `"${tag}"`;
        void reply.header('etag', etag).header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
        if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
        return reply.header('content-type', type).header('x-content-type-options', 'nosniff').send(text);
      });
    }
  }

  async style(name: Name): Promise<string> {
    return `<link rel="stylesheet" href="${await this.#addressOf(name)}">`;
  }

  async script(name: Name): Promise<string> {
    return `<script defer src="${await this.#addressOf(name)}"></script>`;
  }

  /** A script whose names are its own. */
  async module(name: Name): Promise<string> {
    return `<script type="module" src="${await this.#addressOf(name)}"></script>`;
  }

  /** The tag in it lets a browser keep the file for good and still see the next one. */
  async #addressOf(name: Name): Promise<string> {
    return `${this.#prefix}/${name}?${(await this.#asset(name)).tag}`;
  }

  #asset(name: Name): Promise<Asset> {
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const reading = this.#read(name);
    this.#kept.set(name, reading);
    return reading;
  }

  async #read(name: Name): Promise<Asset> {
    const {type, path, edit} = this.#files[name];
    const raw = await readFile(path, 'utf8');
    const text = edit === undefined ? raw : edit(raw);
    return {type, text, tag: sha1Hex(text).slice(0, 16)};
  }
}
