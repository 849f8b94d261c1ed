import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Json} from '../../../base/json.ts';
import {parseTemplate, renderTemplate} from './template.ts';

function rendered(text: string, variables: Readonly<Record<string, Json>> = {}): string {
  const parsed = parseTemplate(text);
  if (!parsed.ok) return `refused: ${parsed.problem}`;
  const result = renderTemplate(parsed.template, variables);
  return result.ok ? result.text : `failed: ${result.problem}`;
}

function freeNames(text: string): readonly string[] {
  const parsed = parseTemplate(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.variables;
}

describe('the variables of a template', () => {
  test('are the names it reads from outside, once each and sorted', () => {
    expect(freeNames('{{ site__name__value }}-{{ name__value|upper }}-{{ name__value }}')).toEqual([
      'name__value',
      'site__name__value',
    ]);
    expect(
      freeNames('{{ a.b[c] if d else [e, -f] }}{{ g|default(h) }}{{ i is defined }}{{ j < k ~ l }}'),
    ).toEqual([...'acdefghijkl']);
  });

  test('do not include names the template gives a value first', () => {
    expect(
      freeNames('{% set a = b %}{{ a }}{% for c in d if c %}{{ c }}{{ loop.index }}{% endfor %}'),
    ).toEqual(['b', 'd']);
    expect(freeNames('{% if a %}{% set b = 1 %}{% else %}{% set b = 2 %}{% endif %}{{ b }}')).toEqual(['a']);
  });

  test('include names that may be read before they have a value', () => {
    expect(freeNames('{% if a %}{% set b = 1 %}{% endif %}{{ b }}')).toEqual(['a', 'b']);
    expect(freeNames('{% for a in b %}{% set c = a %}{% endfor %}{{ c }}{{ a }}')).toEqual(['a', 'b', 'c']);
    expect(freeNames('{% set a = a %}')).toEqual(['a']);
    expect(freeNames('{{ loop.index }}')).toEqual(['loop']);
  });

  test('of a template without names are none', () => {
    expect(freeNames("plain {{ 'text' }} {# {{ not_this }} #}")).toEqual([]);
  });
});

describe('rendering', () => {
  test('an undefined name is a problem that names it', () => {
    expect(rendered('{{ site__name__value }}')).toBe('failed: site__name__value is undefined');
    expect(rendered('{{ site.name }}', {site: {}})).toBe('failed: a value of type dict has no name');
  });

  test('a name that every JavaScript object has is as undefined as any other', () => {
    expect(rendered('{{ constructor }}')).toBe('failed: constructor is undefined');
    expect(rendered('{{ a.constructor is defined }}{{ a["toString"] is defined }}', {a: {}})).toBe(
      'FalseFalse',
    );
    expect(rendered('{{ x|constructor }}', {x: 1})).toContain('the filter constructor is not supported');
  });

  test('a null prints as None, as Jinja2 prints it', () => {
    expect(rendered('{{ a }}', {a: null})).toBe('None');
  });

  test('a number that JSON no longer holds exactly is a problem, not another number', () => {
    expect(rendered('{{ a }}', {a: 1e20})).toContain('beyond 9007199254740991');
  });
});

describe('nothing a template says can hurt the service', () => {
  test.each([
    ["{{ 'x' * 1000000000 }}", 'a text grows beyond 65536'],
    [
      '{% for a in l %}{% for b in l %}{% for c in l %}{% for d in l %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}',
      'steps',
    ],
    ["{% for a in l %}{{ 'x' * 60000 }}{% endfor %}", 'longer than 65536'],
    [
      "{% for a in l %}{% for b in l %}{% set x = ('y' * 60000)|upper|lower|replace('y', 'z') %}{% endfor %}{% endfor %}",
      'steps',
    ],
    ['{{ l * 1000000 }}', 'steps'],
    ["{{ 'a'|replace('', 'x' * 60000) }}", 'grows beyond'],
    ["{% set x = ['y' * 60000] * 100 %}{{ x|join }}", 'grows beyond'],
    [`{% set x = [] %}${'{% set x = [x] %}'.repeat(3000)}{{ x }}`, 'nested deeper'],
    [`{% set x = [] %}${'{% set x = [x] %}'.repeat(3000)}{{ x == [x] }}`, 'nested deeper'],
    [`{{ ${'('.repeat(2000)}1${')'.repeat(2000)} }}`, 'more than 1000'],
    [`{{ ${'('.repeat(400)}1${')'.repeat(400)} }}`, 'nested deeper'],
    [`{{ ${'not '.repeat(900)}1 }}`, 'nested deeper'],
    [`{{ 1${'+1'.repeat(30000)} }}`, 'more than 1000'],
    ['{% if 1 %}'.repeat(200) + '{% endif %}'.repeat(200), 'nested deeper'],
    ['x'.repeat(65_537), 'at most 65536 characters'],
  ])('%#: a bound stops it', (text, problem) => {
    expect(rendered(text, {l: Array.from({length: 30}, (_, index) => index)})).toContain(problem);
  });

  test('long chains within the bounds are rendered', () => {
    expect(rendered(`{{ 1${'+1'.repeat(400)} }}`)).toBe('401');
    expect(rendered(`{{ 'a'${'|upper'.repeat(400)} }}`)).toBe('A');
  });

  test('any text is either a template or a problem', () => {
    const part = fc.constantFrom(
      ...[
        '{{',
        '}}',
        '{%',
        '%}',
        '{#',
        '#}',
        '-',
        '+',
        ' ',
        '\n',
        'if',
        'else',
        'elif',
        'endif',
        'for',
        'endfor',
        'in',
        'set',
      ],
      ...[
        'a',
        'b',
        '1',
        '2.5',
        "'x'",
        '"',
        "'",
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        '.',
        ',',
        '|',
        'upper',
        'join',
        '=',
        '==',
        'is',
      ],
      ...['not', 'defined', '~', '**', '//', '%', '\\', 'é', '\u0000', 'raw', 'loop', 'none'],
    );
    fc.assert(
      fc.property(fc.array(part, {maxLength: 30}), parts => {
        const parsed = parseTemplate(parts.join(''));
        if (parsed.ok)
          expect(renderTemplate(parsed.template, {a: [1, 'x', null], b: {a: 1}})).toHaveProperty('ok');
        else expect(parsed.problem).not.toBe('');
      }),
      {numRuns: 5000},
    );
  });
});
