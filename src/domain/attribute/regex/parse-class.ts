import {type CharItem, type CharSet, charSet} from './char-set.ts';
import type {Cursor} from './cursor.ts';
import {literal, parseEscape} from './escape.ts';
import {RegexProblem} from './pattern.ts';

/** The rest of `[…]`, after its opening bracket. A `]` that comes first stands for itself. */
export function parseClass(cursor: Cursor, ignoreCase: boolean): CharSet {
  const negated = cursor.skip('^');
  const items: CharItem[] = [];
  for (let first = true; first || !cursor.skip(']'); first = false) {
    const item = parseItem(cursor);
    const isRange = cursor.next === '-' && cursor.chars[cursor.position + 1] !== ']';
    if (!isRange) {
      items.push(item);
      continue;
    }
    cursor.take();
    items.push(range(item, parseItem(cursor)));
  }
  return charSet(items, negated, ignoreCase);
}

function parseItem(cursor: Cursor): CharItem {
  const char = cursor.take();
  if (char === undefined) throw new RegexProblem('a [ is never closed by a ]');
  if (char !== '\\') return literal(char);
  const escaped = parseEscape(cursor, true);
  if (escaped.is === 'edge') throw new RegexProblem('a character class cannot contain an anchor');
  return escaped;
}

function range(from: CharItem, to: CharItem): CharItem {
  if (from.is === 'class' || to.is === 'class') {
    throw new RegexProblem('a range in a character class must go from one character to another');
  }
  if (from.first > to.first) {
    const [a, b] = [String.fromCodePoint(from.first), String.fromCodePoint(to.first)];
    throw new RegexProblem(`the range ${a}-${b} in a character class is upside down`);
  }
  return {is: 'range', first: from.first, last: to.first};
}
