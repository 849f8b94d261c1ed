import {sha1Hex} from '../../base/hash.ts';
import {canonicalJson, type Json} from '../../base/json.ts';
import {addressHex, parseInterface} from './ip.ts';
import type {AttributeKind} from './kinds.ts';

/**
 * Keys that order as their values do when they are compared as UTF-8 bytes (SQLite's BINARY,
 * PostgreSQL's "C"), so that a database can sort and page by one text column.
 *
 * - null is the empty key and sorts first; every other key begins with the tag of its type.
 * - U+0000, U+0001 and U+0002 are written as U+0002 and a second character. A U+0001 with no U+0002
 *   before it therefore ends a part of a composite key: a value that is the beginning of another
 *   still sorts before it.
 * - A long text keeps its beginning and a hash of the whole: equal keys always mean equal values,
 *   and only texts that agree in their first 200 characters may come in another order.
 */
const TAGS = {boolean: 'b', ip: 'i', json: 'j', number: 'n', text: 't'} as const;

const TERMINATOR = '\u0001';
const ESCAPE = '\u0002';
const LENGTH_MAX = 240;
const KEPT_LENGTH = 200;

export function sortKey(kind: AttributeKind, value: Json): string {
  if (value === null) return '';
  if (typeof value === 'number') return TAGS.number + numberKey(value);
  if (typeof value === 'boolean') return TAGS.boolean + (value ? '1' : '0');
  if (typeof value !== 'string') return TAGS.json + textKey(canonicalJson(value));
  if (kind === 'IPHost' || kind === 'IPNetwork') return ipKey(value);
  // Without its Z the text of a whole second is the beginning of that second's fractions.
  if (kind === 'DateTime' && value.endsWith('Z')) return TAGS.text + textKey(value.slice(0, -1));
  return TAGS.text + textKey(value);
}

/** One key for several values, compared part by part. */
export function compositeKey(parts: readonly string[]): string {
  return parts.join(TERMINATOR);
}

function textKey(text: string): string {
  if (text.length <= LENGTH_MAX) return escapeControls(text);
  const last = text.charCodeAt(KEPT_LENGTH - 1);
  const cutsPair = last >= 0xd800 && last <= 0xdbff;
  return escapeControls(text.slice(0, cutsPair ? KEPT_LENGTH - 1 : KEPT_LENGTH)) + ESCAPE + sha1Hex(text);
}

function escapeControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these three are what the key reserves.
  return text.replace(/[\u0000-\u0002]/g, char => ESCAPE + String.fromCharCode(char.charCodeAt(0) + 1));
}

const float = new DataView(new ArrayBuffer(8));

/** The bits of the float, with the sign bit turned (all bits for a negative), order as the numbers do. */
function numberKey(value: number): string {
  float.setFloat64(0, value === 0 ? 0 : value);
  const bits = float.getBigUint64(0);
  const ordered = value < 0 ? bits ^ 0xffff_ffff_ffff_ffffn : bits | (1n << 63n);
  return ordered.toString(16).padStart(16, '0');
}

/** By version, then address, then prefix length. */
function ipKey(value: string): string {
  const host = parseInterface(value);
  if (host === null) return TAGS.text + textKey(value);
  return `${TAGS.ip}${host.version}${addressHex(host)}${host.prefixLength.toString(16).padStart(2, '0')}`;
}

/**
 * Compares two texts as their UTF-8 bytes compare, which is how the databases order our keys.
 *
 * UTF-16 units order the same way except that surrogates (code points from U+10000) sort below
 * U+E000–U+FFFF; lifting each unit from U+D800 up puts that right.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    if (left < 0xd800 || right < 0xd800) return left < right ? -1 : 1;
    return lifted(left) < lifted(right) ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

function lifted(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
