import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {sha1Hex} from '../../../base/hash.ts';

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** The files of the page, by the names they are served under. */
const FILES = {
  'react.js': {type: SCRIPT, path: inPackage('react', 'umd/react.production.min.js')},
  'react-dom.js': {type: SCRIPT, path: inPackage('react-dom', 'umd/react-dom.production.min.js')},
  'graphiql.js': {type: SCRIPT, path: inPackage('graphiql', 'graphiql.min.js')},
  'graphiql.css': {type: STYLE, path: inPackage('graphiql', 'graphiql.min.css')},
  'start.js': {type: SCRIPT, path: join(import.meta.dirname, 'start.js')},
  'page.css': {type: STYLE, path: join(import.meta.dirname, 'page.css')},
} as const;

/** None of the packages exports its files for browsers, but each says where it is. */
function inPackage(name: string, file: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);
}

export type AssetName = keyof typeof FILES;

export const ASSET_NAMES = Object.keys(FILES) as readonly AssetName[];

export interface Asset {
  readonly type: string;
  readonly text: string;
  /** Differs when the text does. */
  readonly tag: string;
}

const kept = new Map<AssetName, Promise<Asset>>();

/** A file of the page; it is read when first asked for and kept. */
export function asset(name: AssetName): Promise<Asset> {
  const known = kept.get(name);
  if (known !== undefined) return known;
  const reading = read(name);
  kept.set(name, reading);
  return reading;
}

async function read(name: AssetName): Promise<Asset> {
  const {type, path} = FILES[name];
  const text = await readFile(path, 'utf8');
  return {type, text, tag: sha1Hex(text).slice(0, 16)};
}
