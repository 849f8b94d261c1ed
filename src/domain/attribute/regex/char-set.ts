import {PYTHON_SPACE} from '../python-space.ts';

export type CharClass = 'digit' | 'space' | 'word';

export type CharItem =
  | {readonly is: 'range'; readonly first: number; readonly last: number}
  | {readonly is: 'class'; readonly name: CharClass; readonly negated: boolean};

/** A set of code points, quick to ask about ASCII. */
export type CharSet = {readonly ascii: Uint8Array; readonly slow: (codePoint: number) => boolean};

/** As Python's `str` patterns have them: Unicode, not ASCII. */
const CLASSES = {
  digit: /^\p{Nd}$/u,
  space: new RegExp(`^${PYTHON_SPACE}$`, 'u'),
  word: /^[\p{L}\p{N}_]$/u,
} as const satisfies Record<CharClass, RegExp>;

export function charSet(items: readonly CharItem[], negated: boolean, ignoreCase: boolean): CharSet {
  const plain = (codePoint: number) => items.some(item => holds(item, codePoint));
  const folded = ignoreCase ? (codePoint: number) => caseVariants(codePoint).some(plain) : plain;
  const slow = negated ? (codePoint: number) => !folded(codePoint) : folded;
  const ascii = new Uint8Array(128);
  for (let codePoint = 0; codePoint < 128; codePoint++) ascii[codePoint] = slow(codePoint) ? 1 : 0;
  return {ascii, slow};
}

export function inSet(set: CharSet, codePoint: number): boolean {
  return codePoint < 128 ? set.ascii[codePoint] === 1 : set.slow(codePoint);
}

export function isWord(codePoint: number | undefined): boolean {
  return codePoint !== undefined && CLASSES.word.test(String.fromCodePoint(codePoint));
}

function holds(item: CharItem, codePoint: number): boolean {
  if (item.is === 'range') return item.first <= codePoint && codePoint <= item.last;
  return CLASSES[item.name].test(String.fromCodePoint(codePoint)) !== item.negated;
}

function caseVariants(codePoint: number): number[] {
  const text = String.fromCodePoint(codePoint);
  return [text, text.toLowerCase(), text.toUpperCase()]
    .map(variant => Array.from(variant))
    .filter(variant => variant.length === 1)
    .map(([char]) => (char as string).codePointAt(0) as number);
}
