import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {canonicalJson, type Json} from '../../base/json.ts';
import {parseInterface} from './ip.ts';
import type {AttributeKind} from './kinds.ts';
import {compareText, compositeKey, sortKey} from './sort-key.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const sign = (number: number) => Math.sign(number);
const compareBytes = (a: string, b: string) => sign(Buffer.compare(bytes(a), bytes(b)));

/** Texts full of the characters that escaping and surrogates make difficult. */
const text = fc.oneof(
  fc.string({unit: 'binary', maxLength: 12}).filter(value => value.isWellFormed()),
  fc.string({
    unit: fc.constantFrom('\u0000', '\u0001', '\u0002', '\u0003', 'a', '\ue000', '\uffff', '😀'),
    maxLength: 8,
  }),
);

function expectSameOrder<T extends Json>(
  kind: AttributeKind,
  values: fc.Arbitrary<T>,
  order: (a: T, b: T) => number,
) {
  fc.assert(
    fc.property(values, values, (a, b) => {
      expect(compareBytes(sortKey(kind, a), sortKey(kind, b))).toBe(sign(order(a, b)));
    }),
    {numRuns: 1000},
  );
}

describe('the order of keys is the order of values', () => {
  test('for text: by its UTF-8 bytes', () => {
    expectSameOrder('Text', text, compareBytes);
  });

  test('for numbers, negative and fractional ones included', () => {
    const number = fc.oneof(fc.maxSafeInteger(), fc.integer({min: -3, max: 3}), fc.double({noNaN: true}));
    expectSameOrder('Number', number, (a, b) => (a < b ? -1 : a > b ? 1 : 0));
  });

  test('for booleans: false first', () => {
    expectSameOrder('Boolean', fc.boolean(), (a, b) => Number(a) - Number(b));
  });

  test('for addresses: by version, address and prefix length', () => {
    const address = fc.oneof(
      fc.tuple(fc.ipV4(), fc.nat(32)).map(([ip, length]) => `${ip}/${length}`),
      fc.tuple(fc.ipV6(), fc.nat(128)).map(([ip, length]) => `${ip}/${length}`),
      fc.tuple(fc.constantFrom('10.0.0.0', '::a00:0'), fc.nat(32)).map(([ip, length]) => `${ip}/${length}`),
    );
    expectSameOrder('IPHost', address, (a, b) => {
      const [left, right] = [parseInterface(a)!, parseInterface(b)!];
      if (left.version !== right.version) return left.version - right.version;
      if (left.bits !== right.bits) return left.bits < right.bits ? -1 : 1;
      return left.prefixLength - right.prefixLength;
    });
  });

  test('for times: by the instant, whole seconds before their fractions', () => {
    const time = fc
      .tuple(fc.nat(3), fc.constantFrom('', '.000001', '.5', '.51', '.9'))
      .map(([second, fraction]) => `2024-05-31T13:45:0${second}${fraction}Z`);
    expectSameOrder('DateTime', time, (a, b) => Number(a.slice(17, -1)) - Number(b.slice(17, -1)));
  });

  test('for lists and JSON: by canonical JSON', () => {
    const json = fc.oneof(fc.array(fc.integer()), fc.dictionary(fc.string(), fc.boolean()));
    expectSameOrder('JSON', json, (a, b) => compareBytes(canonicalJson(a), canonicalJson(b)));
  });
});

test('null sorts before everything else', () => {
  fc.assert(
    fc.property(
      fc.jsonValue().filter(value => value !== null),
      value => {
        expect(compareText(sortKey('Any', null), sortKey('Any', value as Json))).toBe(-1);
      },
    ),
  );
});

test('values of Any have equal keys only when they are equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(sortKey('Any', a as Json) === sortKey('Any', b as Json)).toBe(
        canonicalJson(a as Json) === canonicalJson(b as Json),
      );
    }),
  );
});

describe('long texts', () => {
  const long = (tail: string) => 'x'.repeat(200) + tail.padEnd(41, '-');

  test('keep the order of their first 200 characters and stay apart after them', () => {
    expect(sortKey('Text', long('a'))).not.toBe(sortKey('Text', long('b')));
    expect(sortKey('Text', long('a')).length).toBeLessThanOrEqual(242);
    expect(compareText(sortKey('Text', long('a')), sortKey('Text', `x${'y'.repeat(300)}`))).toBe(-1);
  });

  test('are never cut within a character', () => {
    expect(sortKey('Text', `a${'😀'.repeat(200)}`).isWellFormed()).toBe(true);
  });

  test('of 240 characters are kept whole', () => {
    expect(sortKey('Text', 'x'.repeat(240))).toBe(`t${'x'.repeat(240)}`);
  });
});

test('a composite key orders part by part', () => {
  const parts = fc.array(fc.oneof(fc.constant(null), text), {minLength: 3, maxLength: 3});
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      const keys = (values: readonly (string | null)[]) => values.map(value => sortKey('Text', value));
      const expected = keys(a).map((key, index) => compareBytes(key, keys(b)[index] as string));
      expect(compareBytes(compositeKey(keys(a)), compositeKey(keys(b)))).toBe(
        expected.find(order => order !== 0) ?? 0,
      );
    }),
    {numRuns: 1000},
  );
});

test('no key contains U+0000, nor U+0001 other than as an escape', () => {
  fc.assert(
    fc.property(text, value => {
      const key = sortKey('Text', value).replaceAll('\u0002\u0001', '');
      expect(key.includes('\u0000') || key.includes('\u0001')).toBe(false);
    }),
  );
});

test('compareText orders as UTF-8 bytes do', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(compareText(a, b)).toBe(compareBytes(a, b));
    }),
    {numRuns: 2000},
  );
});
