import {regexDepthMax, regexLengthMax} from '../limits.ts';
import {charSet} from './char-set.ts';
import {Cursor} from './cursor.ts';
import {literal, parseEscape} from './escape.ts';
import {parseClass} from './parse-class.ts';
import {fixedWidth, type Pattern, RegexProblem} from './pattern.ts';

type Flags = {readonly ignoreCase: boolean; readonly multiLine: boolean; readonly dotAll: boolean};

type Parser = {readonly cursor: Cursor; readonly groupNames: Set<string>};

/**
 * Reads the syntax of Python's `re`, the one schema authors write.
 *
 * Left out, and refused by name: back-references, conditionals, atomic groups, possessive
 * repetition and verbose mode. They are what keeps a match from being decided in linear time.
 */
export function parsePattern(text: string): Pattern {
  if (text.length > regexLengthMax) {
    throw new RegexProblem(`it has ${text.length} characters, at most ${regexLengthMax} are allowed`);
  }
  const parser = {cursor: new Cursor(text), groupNames: new Set<string>()};
  const leading = parser.cursor.chars.join('').match(/^\(\?([a-zA-Z]+)\)/);
  const flags = withFlags({ignoreCase: false, multiLine: false, dotAll: false}, leading?.[1] ?? '', '');
  if (leading !== null) parser.cursor.skip(leading[0]);
  const pattern = parseChoice(parser, flags, 0);
  if (parser.cursor.next !== undefined) throw new RegexProblem('a ) has no ( before it');
  return pattern;
}

function parseChoice(parser: Parser, flags: Flags, depth: number): Pattern {
  if (depth > regexDepthMax) throw new RegexProblem(`its groups are nested deeper than ${regexDepthMax}`);
  const options = [parseSequence(parser, flags, depth)];
  while (parser.cursor.skip('|')) options.push(parseSequence(parser, flags, depth));
  return options.length === 1 ? (options[0] as Pattern) : {is: 'choice', options};
}

function parseSequence(parser: Parser, flags: Flags, depth: number): Pattern {
  const items: Pattern[] = [];
  skipComments(parser.cursor);
  while (parser.cursor.next !== undefined && parser.cursor.next !== '|' && parser.cursor.next !== ')') {
    items.push(parseRepeat(parser, parseAtom(parser, flags, depth)));
  }
  return items.length === 1 ? (items[0] as Pattern) : {is: 'sequence', items};
}

function parseAtom(parser: Parser, flags: Flags, depth: number): Pattern {
  const {cursor} = parser;
  if (parseCount(cursor) !== null) throw new RegexProblem('a repetition has nothing before it to repeat');
  const char = cursor.take() as string;
  switch (char) {
    case '(':
      return parseGroup(parser, flags, depth);
    case '[':
      return {is: 'chars', set: parseClass(cursor, flags.ignoreCase)};
    case '.':
      return {is: 'chars', set: charSet(flags.dotAll ? [] : [literal('\n')], true, false)};
    case '^':
      return {is: 'edge', edge: flags.multiLine ? 'line-start' : 'start'};
    case '$':
      return {is: 'edge', edge: flags.multiLine ? 'line-end' : 'end'};
    case '\\': {
      const escaped = parseEscape(cursor, false);
      return escaped.is === 'edge'
        ? escaped
        : {is: 'chars', set: charSet([escaped], false, flags.ignoreCase)};
    }
    default:
      return {is: 'chars', set: charSet([literal(char)], false, flags.ignoreCase)};
  }
}

function parseRepeat(parser: Parser, body: Pattern): Pattern {
  skipComments(parser.cursor);
  const count = parseCount(parser.cursor);
  if (count === null) return body;
  if (body.is === 'edge') throw new RegexProblem('an anchor cannot be repeated');
  if (parser.cursor.skip('+')) throw new RegexProblem('possessive repetition such as a*+ is not supported');
  // A lazy repetition matches the same texts; only the place where it stops differs.
  parser.cursor.skip('?');
  skipComments(parser.cursor);
  if (parseCount(parser.cursor) !== null) throw new RegexProblem('a repetition is itself repeated');
  return {is: 'repeat', body, ...count};
}

function parseCount(cursor: Cursor): {readonly min: number; readonly max: number | null} | null {
  if (cursor.skip('*')) return {min: 0, max: null};
  if (cursor.skip('+')) return {min: 1, max: null};
  if (cursor.skip('?')) return {min: 0, max: 1};
  if (cursor.next !== '{') return null;
  const braces = /^\{(?!\})(\d*)(,?)(\d*)\}/.exec(cursor.chars.slice(cursor.position).join(''));
  if (braces === null) return null;
  const [text, low, comma, high] = braces as unknown as [string, string, string, string];
  cursor.skip(text);
  const min = Number(low);
  const max = comma === '' ? min : high === '' ? null : Number(high);
  if (max !== null && max < min) throw new RegexProblem(`the repetition ${text} ends before it begins`);
  return {min, max};
}

function parseGroup(parser: Parser, flags: Flags, depth: number): Pattern {
  const {cursor} = parser;
  if (!cursor.skip('?') || cursor.skip(':')) return closed(parser, flags, depth);
  if (cursor.skip('=')) return look(closed(parser, flags, depth), true, false);
  if (cursor.skip('!')) return look(closed(parser, flags, depth), true, true);
  if (cursor.skip('<=')) return look(closed(parser, flags, depth), false, false);
  if (cursor.skip('<!')) return look(closed(parser, flags, depth), false, true);
  if (cursor.skip('P<') || cursor.skip('<')) {
    nameGroup(parser);
    return closed(parser, flags, depth);
  }
  if (cursor.skip('P=')) throw new RegexProblem('the back-reference (?P=…) is not supported');
  if (cursor.skip('>')) throw new RegexProblem('the atomic group (?>…) is not supported');
  if (cursor.skip('(')) throw new RegexProblem('the conditional (?(…)…) is not supported');
  const on = cursor.takeWhile(/[a-zA-Z]/);
  const off = cursor.skip('-') ? cursor.takeWhile(/[a-zA-Z]/) : '';
  if (on + off !== '' && cursor.skip(':')) return closed(parser, withFlags(flags, on, off), depth);
  if (on !== '' && cursor.next === ')') throw new RegexProblem(`(?${on}) is allowed at the beginning only`);
  throw new RegexProblem(`(?${cursor.next ?? ''} begins no group that is known`);
}

function closed(parser: Parser, flags: Flags, depth: number): Pattern {
  const body = parseChoice(parser, flags, depth + 1);
  if (!parser.cursor.skip(')')) throw new RegexProblem('a ( is never closed by a )');
  // Wrapped, so that an anchor in a group may be repeated although a bare one may not.
  return body.is === 'edge' ? {is: 'sequence', items: [body]} : body;
}

function look(body: Pattern, ahead: boolean, negative: boolean): Pattern {
  const width = ahead ? 0 : fixedWidth(body);
  if (width === null) throw new RegexProblem('a look-behind must match texts of one length only');
  return {is: 'look', ahead, negative, body, width};
}

/** A comment is as if it were not there: what follows it may repeat what precedes it. */
function skipComments(cursor: Cursor): void {
  while (cursor.skip('(?#')) {
    cursor.takeWhile(/[^)]/);
    if (!cursor.skip(')')) throw new RegexProblem('a comment (?#… is never closed by a )');
  }
}

function nameGroup({cursor, groupNames}: Parser): void {
  const name = cursor.takeWhile(/[\p{L}\p{N}_]/u);
  if (!cursor.skip('>') || !/^[\p{L}_]/u.test(name))
    throw new RegexProblem('a group name is not an identifier');
  if (groupNames.has(name)) throw new RegexProblem(`two groups are named ${name}`);
  groupNames.add(name);
}

function withFlags(flags: Flags, on: string, off: string): Flags {
  const unknown = /[^imsu]/.exec(on + off);
  if (unknown !== null) throw new RegexProblem(`the flag ${unknown[0]} is not supported; i, m, s and u are`);
  const value = (letter: string, before: boolean) => (on.includes(letter) || before) && !off.includes(letter);
  return {
    ignoreCase: value('i', flags.ignoreCase),
    multiLine: value('m', flags.multiLine),
    dotAll: value('s', flags.dotAll),
  };
}
