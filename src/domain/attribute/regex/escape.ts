import type {CharItem} from './char-set.ts';
import type {Cursor} from './cursor.ts';
import {type Edge, RegexProblem} from './pattern.ts';

export type Escape = CharItem | {readonly is: 'edge'; readonly edge: Edge};

const CONTROLS: Readonly<Record<string, number>> = {a: 7, f: 12, n: 10, r: 13, t: 9, v: 11};

const CLASSES: Readonly<Record<string, CharItem>> = {
  d: {is: 'class', name: 'digit', negated: false},
  D: {is: 'class', name: 'digit', negated: true},
  s: {is: 'class', name: 'space', negated: false},
  S: {is: 'class', name: 'space', negated: true},
  w: {is: 'class', name: 'word', negated: false},
  W: {is: 'class', name: 'word', negated: true},
};

const EDGES: Readonly<Record<string, Edge>> = {A: 'start', Z: 'end', b: 'word', B: 'not-word'};

const HEX_DIGITS: Readonly<Record<string, number>> = {x: 2, u: 4, U: 8};

export const literal = (char: string): CharItem => single(char.codePointAt(0) as number);

const single = (codePoint: number): CharItem => ({is: 'range', first: codePoint, last: codePoint});

/** What follows a backslash. In a class `\b` is a backspace, and there are no edges. */
export function parseEscape(cursor: Cursor, inClass: boolean): Escape {
  const char = cursor.take();
  if (char === undefined) throw new RegexProblem('it ends with a lone backslash');
  const fixed = CLASSES[char] ?? (char in CONTROLS ? single(CONTROLS[char] as number) : undefined);
  if (fixed !== undefined) return fixed;
  if (inClass && char === 'b') return single(8);
  const edge = inClass ? undefined : EDGES[char];
  if (edge !== undefined) return {is: 'edge', edge};
  if (char in HEX_DIGITS) return single(hexadecimal(cursor, char, HEX_DIGITS[char] as number));
  if (/\d/.test(char)) return single(octal(cursor, char, inClass));
  if (/[a-zA-Z]/.test(char)) throw new RegexProblem(`\\${char} is not an escape sequence that is supported`);
  return literal(char);
}

function hexadecimal(cursor: Cursor, letter: string, digits: number): number {
  const text = cursor.takeWhile(/[0-9a-fA-F]/, digits);
  const codePoint = Number.parseInt(text, 16);
  if (text.length < digits || codePoint > 0x10ffff) {
    throw new RegexProblem(`\\${letter} must be followed by ${digits} hexadecimal digits of a character`);
  }
  return codePoint;
}

/** `\0`, `\012`, and in a class `\12`; any other number would refer back to a group. */
function octal(cursor: Cursor, first: string, inClass: boolean): number {
  const rest = cursor.chars.slice(cursor.position, cursor.position + 2).join('');
  const isOctal = first === '0' || /^[0-3][0-7]{2}$/.test(first + rest) || (inClass && /[0-7]/.test(first));
  if (!isOctal) throw new RegexProblem(`the back-reference \\${first} is not supported`);
  const codePoint = Number.parseInt(first + cursor.takeWhile(/[0-7]/, 2), 8);
  if (codePoint > 0o377) throw new RegexProblem(`the octal escape \\${codePoint.toString(8)} is above \\377`);
  return codePoint;
}
