import {execFileSync} from 'node:child_process';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {checkRegex, matchFromStart} from './regex.ts';

describe('matching', () => {
  test.each([
    ['abc', 'abcdef', true],
    ['bc', 'abcdef', false],
    ['^[a-z]+$', 'edge', true],
    ['^[a-z]+$', 'edge-1', false],
    ['(?P<site>[a-z]{3})-(?P<number>\\d+)\\Z', 'atl-12', true],
    ['\\Aatl', 'atl', true],
    ['(?i)ATL', 'atl', true],
    ['a.c', 'a\nc', false],
    ['(?s)a.c', 'a\nc', true],
    ['\\w+$', 'éclair', true],
    ['.$', '😀', true],
    ['(?<=a)b', 'ab', false],
    ['a(?=b)', 'ab', true],
    ['a(?!b)', 'ab', false],
    ['', 'anything', true],
  ])('%s on %j gives %s, from the start and not necessarily to the end', (pattern, text, matches) => {
    expect(matchFromStart(pattern, text)).toBe(matches ? 'match' : 'no-match');
  });

  test('a dollar is the very end: a trailing line feed does not slip through', () => {
    expect(matchFromStart('^[a-z]+$', 'edge\n')).toBe('no-match');
  });

  test('a pattern that makes backtracking engines explode is decided at once', () => {
    expect(matchFromStart('^(a+)+$', `${'a'.repeat(4000)}b`)).toBe('no-match');
    expect(matchFromStart('(?:a?){100}a{100}$', 'a'.repeat(100))).toBe('match');
  });

  test('a match that needs too many steps is given up instead of blocking the server', () => {
    expect(matchFromStart('(?:a*){1000}b', 'a'.repeat(100_000))).toBe('too-costly');
  });
});

describe('patterns that cannot be used', () => {
  test.each([
    ['(', 'a ( is never closed'],
    [')', 'has no ( before it'],
    ['[a', 'never closed by a ]'],
    ['[z-a]', 'upside down'],
    ['*a', 'nothing before it'],
    ['a**', 'itself repeated'],
    ['a{3,2}', 'ends before it begins'],
    ['(a)\\1', 'back-reference'],
    ['(?P<n>a)(?P=n)', 'back-reference'],
    ['(?P<n>a)(?P<n>b)', 'two groups'],
    ['(?>a)', 'atomic'],
    ['a++', 'possessive'],
    ['(?x) a', 'flag x'],
    ['a(?i)b', 'at the beginning only'],
    ['\\q', 'escape sequence'],
    ['\\', 'lone backslash'],
    ['(?<=a*)b', 'look-behind'],
    ['(a{100}){1000}', 'unfold'],
    ['(){1000000}', 'unfold'],
    ['(?:){,1000000}', 'unfold'],
    ['('.repeat(60) + ')'.repeat(60), 'nested'],
    ['a'.repeat(2001), 'at most 2000'],
  ])('%s is refused with the reason', (pattern, reason) => {
    expect(checkRegex(pattern)).toContain(reason);
  });
});

test('random patterns and texts match exactly as with Python', () => {
  const unit = fc.tuple(
    fc.constantFrom(
      ...[
        'a',
        'b',
        '.',
        '\\d',
        '\\w',
        '\\W',
        '\\s',
        '[ab]',
        '[^a]',
        '[a-c-]',
        '[]a]',
        '[\\w-]',
        '(a|b)',
        '(?:ab|c)',
      ],
      ...[
        '^',
        '$',
        '\\b',
        '\\B',
        '\\A',
        '\\Z',
        '(?=a)',
        '(?!b)',
        '(?<=a)',
        '(?<!b)',
        'é',
        '{',
        '}',
        'x{2}',
        '\\.',
      ],
      ...['(?i:AB)', '\\x61', '\\-', '\\141', '|', '(a*)*', '(?#note)', '[\\d\\s]', '(', ')'],
    ),
    fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{,2}', '{1,}', '*?', '{1,2}?', '{2}{2}'),
  );
  const pattern = fc.array(unit, {maxLength: 6}).map(units => units.flat().join(''));
  const text = fc.string({unit: fc.constantFrom(...'abcABé1_ -.x{}\u0663'), maxLength: 8});
  const cases = fc
    .sample(fc.tuple(pattern, text), 4000)
    .filter(([tried]) => !/(?:[*+?]|\})\+/.test(tried) && !/\(\?P?[<(]?$/.test(tried));
  const answers = pythonMatches(cases);
  for (const [index, [tried, subject]] of cases.entries()) {
    const ours = checkRegex(tried) === null ? matchFromStart(tried, subject) : 'refused';
    expect([tried, subject, ours]).toEqual([tried, subject, answers[index]]);
  }
});

function pythonMatches(cases: readonly (readonly [string, string])[]): string[] {
  const program = `
import json, re, sys, warnings
warnings.simplefilter('ignore')
def answer(pattern, text):
    try:
        return 'match' if re.match(pattern, text) else 'no-match'
    except re.error:
        return 'refused'
json.dump([answer(p, t) for p, t in json.load(sys.stdin)], sys.stdout)`;
  return JSON.parse(
    execFileSync('python3', ['-c', program], {
      input: JSON.stringify(cases),
      maxBuffer: 2 ** 26,
      encoding: 'utf8',
    }),
  );
}
