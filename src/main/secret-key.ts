import {randomBytes, randomUUID} from 'node:crypto';
import {link, open, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {EXIT, StartRefused} from './exit-codes.ts';

const FILE_NAME = 'secret.key';
const KEY = /^[\w-]{43}$/;

/**
 * The key that signs session tokens, made once per data folder and readable by its owner only.
 *
 * It appears whole or not at all: two first starts at the same moment agree on one key, and a crash leaves
 * none or a good one. A damaged file is never replaced, since that would end every session unasked.
 */
export async function loadSecretKey(folder: string): Promise<string> {
  const file = join(folder, FILE_NAME);
  return (await readKey(file)) ?? (await createKey(folder, file));
}

async function readKey(file: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw refused(`${file} cannot be read (${(error as Error).message})`, error);
  }
  const key = text.trimEnd();
  if (!KEY.test(key)) throw refused(`${file} does not hold a key of this service`);
  return key;
}

async function createKey(folder: string, file: string): Promise<string> {
  const key = randomBytes(32).toString('base64url');
  const draft = `${file}.${randomUUID()}.new`;
  try {
    await writeDurably(draft, `${key}\n`);
    await link(draft, file);
    await syncFolder(folder);
    return key;
  } catch (error) {
    const theirs = isCode(error, 'EEXIST') ? await readKey(file) : undefined;
    if (theirs !== undefined) return theirs;
    throw new StartRefused(EXIT.dataFolder, `The secret key cannot be stored in ${file}.`, {cause: error});
  } finally {
    await rm(draft, {force: true});
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

const refused = (what: string, cause?: unknown) =>
  new StartRefused(
    EXIT.dataFolder,
    `The secret key file ${what}; restore it from a backup, or delete it to have a new one made (all sessions end).`,
    {cause},
  );
