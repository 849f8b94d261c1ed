import {md5Hex} from '../../base/hash.ts';
import {validationError} from '../../domain/errors.ts';
import type {Cursor, Order} from '../../domain/query/node-query.ts';

const CURSOR_CHARACTERS_MAX = 8_192;

/** Names the order of a list, so that a cursor of one order is not taken for a place in another. */
export function orderTag(kind: string, order: readonly Order[] | undefined): string {
  return md5Hex(`${kind} ${JSON.stringify(order ?? null)}`).slice(0, 6);
}

export function encodeCursor([key, serial]: Cursor, tag: string): string {
  return Buffer.from(JSON.stringify([key, serial, tag])).toString('base64url');
}

export function decodeCursor(text: string, tag: string): Cursor {
  const parts = text.length > CURSOR_CHARACTERS_MAX ? undefined : parsed(text);
  if (!Array.isArray(parts) || parts.length !== 3) throw notACursor(text);
  const [key, serial, madeFor] = parts as unknown[];
  if (typeof key !== 'string' || typeof serial !== 'number' || !Number.isSafeInteger(serial)) {
    throw notACursor(text);
  }
  if (madeFor !== tag) {
    throw validationError('The cursor in "after" belongs to a list in another order; begin again without it');
  }
  return [key, serial];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

const notACursor = (text: string) =>
  validationError(
    `"${text.slice(0, 80)}" in "after" is not a cursor; take one from edges.cursor or pageInfo`,
  );
