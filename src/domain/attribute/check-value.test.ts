import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Json} from '../../base/json.ts';
import {type AttributeRules, checkValue} from './check-value.ts';
import {ATTRIBUTE_KINDS, type AttributeKind} from './kinds.ts';

type Extra = Partial<Omit<AttributeRules, 'kind'>>;

function stored(kind: AttributeKind, value: unknown, extra: Extra = {}): Json {
  const checked = checkValue({name: 'field', kind, optional: false, ...extra}, value);
  if (!checked.ok) throw new Error(checked.problems.join('; '));
  return checked.value;
}

function problems(kind: AttributeKind, value: unknown, extra: Extra = {}): readonly string[] {
  const checked = checkValue({name: 'field', kind, optional: false, ...extra}, value);
  return checked.ok ? [] : checked.problems;
}

describe('null', () => {
  test.each(ATTRIBUTE_KINDS)('is refused by a mandatory %s and kept by an optional one', kind => {
    expect(problems(kind, null)).toEqual(['field is mandatory: it must have a value']);
    expect(stored(kind, null, {optional: true})).toBe(null);
    expect(stored(kind, undefined, {optional: true})).toBe(null);
  });
});

describe('text', () => {
  const plain: readonly AttributeKind[] = [
    'ID',
    'Text',
    'Email',
    'Password',
    'HashedPassword',
    'File',
    'Color',
  ];

  test.each(plain)('%s keeps any text as it is', kind => {
    expect(stored(kind, ' not an e-mail 😀 ')).toBe(' not an e-mail 😀 ');
    expect(stored(kind, '')).toBe('');
  });

  test.each(plain)('%s refuses what is no text', kind => {
    for (const value of [1, true, [], {}, 1n]) expect(problems(kind, value)[0]).toContain('must be a text');
  });

  test('4095 characters fit, 4096 do not, and characters outside the basic plane count once', () => {
    expect(stored('Text', '😀'.repeat(4095))).toHaveLength(2 * 4095);
    expect(problems('Text', '😀'.repeat(4096))[0]).toContain('at most 4095 characters, it has 4096');
  });

  test('TextArea holds a mebibyte of UTF-8 and no more', () => {
    expect(stored('TextArea', 'é'.repeat(512 * 1024))).toHaveLength(512 * 1024);
    expect(problems('TextArea', `${'é'.repeat(512 * 1024)}a`)[0]).toContain('it takes 1048577');
  });

  test.each(['Text', 'TextArea'] as const)('%s refuses NUL and half surrogate pairs', kind => {
    expect(problems(kind, 'a\u0000b')[0]).toContain('U+0000');
    expect(problems(kind, 'a\ud800b')[0]).toContain('well-formed');
  });
});

describe('DateTime', () => {
  test.each([
    ['2024-05-31T13:45:00Z', '2024-05-31T13:45:00Z'],
    ['2024-05-31t13:45:00z', '2024-05-31T13:45:00Z'],
    ['2024-05-31 13:45:00+00:00', '2024-05-31T13:45:00Z'],
    ['2024-05-31T15:45:00.250+02:00', '2024-05-31T13:45:00.25Z'],
    ['2024-05-31T13:45:00.123456789Z', '2024-05-31T13:45:00.123456Z'],
    ['2024-05-31T13:45', '2024-05-31T13:45:00Z'],
    ['2024-05-31', '2024-05-31T00:00:00Z'],
    ['2024-12-31T23:30:00-0130', '2025-01-01T01:00:00Z'],
    ['2024-02-29T00:00:00+14', '2024-02-28T10:00:00Z'],
    ['0099-01-01', '0099-01-01T00:00:00Z'],
  ])('%s is stored as %s', (given, expected) => {
    expect(stored('DateTime', given)).toBe(expected);
  });

  test.each([
    ...['', 'yesterday', '2023-02-29', '2024-13-01', '2024-05-31T24:00:00Z', '2024-05-31T10:60:00Z'],
    ...[
      '2024-05-31T10:00:60Z',
      '0001-01-01T00:00:00+01:00',
      '9999-12-31T23:59:59-01:00',
      '2024-05-31Z',
      '20240531',
    ],
  ])('%j is refused', given => {
    expect(problems('DateTime', given)[0]).toContain('such as 2024-05-31T13:45:00Z');
  });

  test('an empty text empties an optional one', () => {
    expect(stored('DateTime', '', {optional: true})).toBe(null);
  });
});

describe('URL', () => {
  test.each(['https://example.com/a?b=c', 'ssh://git@host/repo.git', '/docs/page', 'file:///etc/hosts'])(
    '%s is kept',
    url => {
      expect(stored('URL', url)).toBe(url);
    },
  );

  test.each([
    'example.com',
    'http://',
    'http://[::1',
    ' https://example.com',
    'https://a b/',
    '',
    'see http://a.b',
  ])('%j is refused', url => {
    expect(problems('URL', url)[0]).toContain('must be a URL');
  });
});

describe('MacAddress', () => {
  test.each([
    ...[
      'AA-BB-CC-0D-EE-FF',
      'aa:bb:cc:0d:ee:ff',
      'aa:bb:cc:d:ee:ff',
      'aabb.cc0d.eeff',
      'aabbcc-0deeff',
      'aabbcc0deeff',
    ],
    ...['aabb:cc0d:eeff', 'aabb-cc0d-eeff', 'aa bb cc 0d ee ff', 'aa.bb.cc.0d.ee.ff', 'aabbcc:0deeff'],
  ])('%s is stored as AA-BB-CC-0D-EE-FF', given => {
    expect(stored('MacAddress', given)).toBe('AA-BB-CC-0D-EE-FF');
  });

  test.each([
    '01-23-45-67-89-AB-CD-EF',
    '01:23:45:67:89:ab:cd:ef',
    '0123.4567.89ab.cdef',
    '0123456789abcdef',
  ])('%s is stored as an EUI-64', given => {
    expect(stored('MacAddress', given)).toBe('01-23-45-67-89-AB-CD-EF');
  });

  test.each([
    '',
    'aa:bb:cc:dd:ee',
    'aa:bb:cc:dd:ee:fg',
    'aa:bb-cc:dd:ee:ff',
    'aabbccddeef',
    'aa:bb:cc:dd:ee:ff:00',
    ':a:b:c:d:e',
  ])('%j is refused', given => {
    expect(problems('MacAddress', given)[0]).toContain('must be a MAC address');
  });
});

describe('Number, Bandwidth and NumberPool', () => {
  const kinds: readonly AttributeKind[] = ['Number', 'Bandwidth', 'NumberPool'];

  test.each(kinds)('%s keeps integers and refuses everything else', kind => {
    expect(stored(kind, 42)).toBe(42);
    expect(stored(kind, 42n)).toBe(42);
    for (const value of ['42', true, 1.5, [1], {}, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(problems(kind, value)[0]).toContain('must be an integer');
    }
  });

  test('an integer that JSON would not carry exactly is refused with the range', () => {
    expect(stored('Number', Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    expect(problems('Number', 2 ** 53)[0]).toContain('between -9007199254740991 and 9007199254740991');
    expect(problems('Number', -(2n ** 70n))[0]).toContain('-1180591620717411303424 is beyond');
  });

  test('minus zero is zero', () => {
    expect(Object.is(stored('Number', -0), 0)).toBe(true);
  });

  test('min_value, max_value and excluded_values bound it, and each broken rule is named', () => {
    const parameters = {min_value: 10, max_value: 200, excluded_values: '5,100,150-160'};
    expect(stored('Number', 10, {parameters})).toBe(10);
    expect(problems('Number', 5, {parameters})).toEqual([
      'field must be at least 10, 5 is less',
      'field must not be 5: 5 is excluded',
    ]);
    expect(problems('Number', 155, {parameters})).toEqual(['field must not be 155: 150-160 is excluded']);
    expect(problems('Number', 201, {parameters})).toEqual(['field must be at most 200, 201 is more']);
  });

  test('a NumberPool stays within its range, which begins at 1', () => {
    expect(problems('NumberPool', 0)).toEqual(['field must be at least 1, 0 is less']);
    expect(problems('NumberPool', 9, {parameters: {start_range: 10, end_range: 20}})).toHaveLength(1);
    expect(problems('NumberPool', 21, {parameters: {start_range: 10, end_range: 20}})).toHaveLength(1);
  });
});

describe('Boolean and Checkbox', () => {
  test.each(['Boolean', 'Checkbox'] as const)('%s takes true and false only', kind => {
    expect(stored(kind, false)).toBe(false);
    for (const value of [0, 1, 'true', [], {}])
      expect(problems(kind, value)[0]).toContain('must be true or false');
  });
});

describe('IPHost', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1/32'],
    ['192.0.2.1/24', '192.0.2.1/24'],
    ['192.0.2.1/255.255.255.0', '192.0.2.1/24'],
    ['192.0.2.1/0.0.0.255', '192.0.2.1/24'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:0db8:0000:0000:0001:0000:0000:0001/64', '2001:db8::1:0:0:1/64'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1/128'],
    ['::ffff:192.0.2.1', '::ffff:c000:201/128'],
    ['::', '::/128'],
    ['1::/16', '1::/16'],
  ])('%s is stored as %s', (given, expected) => {
    expect(stored('IPHost', given)).toBe(expected);
  });

  test.each([
    ...[
      '',
      '192.0.2',
      '192.0.2.256',
      '192.0.02.1',
      '192.0.2.1/33',
      '192.0.2.1/',
      '192.0.2.1/24/24',
      '192.0.2.1 ',
    ],
    ...[
      '2001:db8::1::2',
      '2001:db8:::1',
      ':1',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4:5:6:7',
      '::1/129',
      '::g',
      'fe80::1%eth0',
    ],
    ...['1:2:3:4:5:6:7:8::', '::1.2.3', '1.2.3.4::', '192.0.2.1/255.0.255.0', '12345::', '١.0.0.1'],
  ])('%j is refused', given => {
    expect(problems('IPHost', given)[0]).toContain('must be an IP address such as');
  });
});

describe('IPNetwork', () => {
  test.each([
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['192.0.2.1', '192.0.2.1/32'],
    ['10.0.0.0/255.0.0.0', '10.0.0.0/8'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ])('%s is stored as %s', (given, expected) => {
    expect(stored('IPNetwork', given)).toBe(expected);
  });

  test('host bits are refused and the right network is named', () => {
    expect(problems('IPNetwork', '192.0.2.1/24')[0]).toContain('is an address in 192.0.2.0/24');
    expect(problems('IPNetwork', '2001:db8::1/32')[0]).toContain('is an address in 2001:db8::/32');
  });
});

describe('List, JSON and Any', () => {
  test('a List takes lists only, JSON objects and lists, Any everything', () => {
    expect(stored('List', [1, 'a', null])).toEqual([1, 'a', null]);
    expect(problems('List', {})[0]).toContain('must be a list, not an object');
    expect(stored('JSON', {a: [1]})).toEqual({a: [1]});
    expect(stored('JSON', [])).toEqual([]);
    expect(problems('JSON', 'text')[0]).toContain('must be a JSON object or list, not a text');
    for (const value of [0, 'text', false, [], {}]) expect(stored('Any', value)).toEqual(value);
  });

  test('what JSON cannot carry is refused at any depth', () => {
    expect(problems('JSON', {a: [Number.NaN]})[0]).toContain('NaN');
    expect(problems('JSON', {a: undefined})[0]).toContain('undefined');
    expect(problems('JSON', {a: 1n})[0]).toContain('bigint');
    expect(problems('JSON', [new Date(0)])[0]).toContain('plain objects');
    expect(problems('JSON', {'\u0000': 1})[0]).toContain('U+0000');
    expect(problems('List', ['\udc00'])[0]).toContain('well-formed');
  });

  test('depth and size are bounded', () => {
    const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)]);
    expect(problems('JSON', nested(100))).toEqual([]);
    expect(problems('JSON', nested(101))[0]).toContain('at most 100 levels');
    expect(problems('List', ['a'.repeat(1024 * 1024)])[0]).toContain('at most 1048576 bytes');
    expect(problems('Any', 'a'.repeat(4096))[0]).toContain('at most 4095 characters');
  });
});

describe('rules of the attribute', () => {
  test('a regex is matched from the start, each item of a List on its own', () => {
    const parameters = {regex: '^[a-z]{3}'};
    expect(stored('Text', 'atlanta', {parameters})).toBe('atlanta');
    expect(problems('Text', 'ATL', {parameters})).toEqual([
      'field must match the regular expression ^[a-z]{3}, "ATL" does not',
    ]);
    expect(problems('List', ['atl', 'x'], {parameters})[0]).toContain('"x" does not');
  });

  test('a regex that cannot be used is told, not thrown', () => {
    expect(problems('Text', 'a', {parameters: {regex: '('}})[0]).toContain('cannot be checked');
  });

  test('lengths count characters of a text and items of a List', () => {
    const parameters = {min_length: 2, max_length: 3};
    expect(stored('Text', '😀😀', {parameters})).toBe('😀😀');
    expect(problems('Text', '😀', {parameters})).toEqual(['field must have at least 2 characters, it has 1']);
    expect(problems('List', [1, 2, 3, 4], {parameters})).toEqual([
      'field must have at most 3 items, it has 4',
    ]);
  });

  test('an enum names its members, which may be written in any notation of the kind', () => {
    expect(problems('Text', 'c', {enum: ['a', 'b']})).toEqual(['field must be one of "a", "b", not "c"']);
    expect(stored('MacAddress', 'aabb.ccdd.eeff', {enum: ['aa:bb:cc:dd:ee:ff']})).toBe('AA-BB-CC-DD-EE-FF');
    expect(stored('Number', 2, {enum: [1, 2]})).toBe(2);
  });

  test('a Dropdown takes the name of a choice', () => {
    const choices = [{name: 'active'}, {name: 'planned'}];
    expect(stored('Dropdown', 'active', {choices})).toBe('active');
    expect(problems('Dropdown', 'Active', {choices})).toEqual([
      'field must be one of the choices "active", "planned", not "Active"',
    ]);
  });

  test('broken rules are all reported, in the order of the rules', () => {
    const parameters = {regex: '^a', min_length: 3};
    expect(problems('Text', 'b', {parameters, enum: ['abc']}).map(text => text.slice(0, 22))).toEqual([
      'field must match the r',
      'field must have at lea',
      'field must be one of "',
    ]);
  });

  test.each(['Password', 'HashedPassword'] as const)('a refused %s is never repeated', kind => {
    const parameters = {regex: '^[a-z]$', min_length: 50, max_length: 2};
    const text = problems(kind, 'hunter2!', {parameters, enum: ['a']}).join(' ');
    expect(text).toContain('regular expression');
    expect(text).not.toContain('hunter2');
  });
});

test('a stored value passes again unchanged', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV4Extended(),
    fc.date({noInvalidDate: true}).map(date => date.toISOString()),
    fc.webUrl(),
    fc.stringMatching(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/),
    fc.integer(),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ATTRIBUTE_KINDS), value, (kind, given) => {
      const rules = {name: 'field', kind, optional: true};
      const first = checkValue(rules, given);
      if (first.ok) expect(checkValue(rules, first.value)).toEqual(first);
    }),
    {numRuns: 2000},
  );
});
