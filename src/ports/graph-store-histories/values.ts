import type {Json} from '../../base/json.ts';
import type {AttributeKind} from '../../domain/attribute/kinds.ts';
import {type AttributeWrite, type EdgeProperties, PLAIN_EDGE} from '../../domain/graph/node.ts';
import {numberedId} from '../graph-store-fixtures.ts';

/** Few values, so that they meet: equal, nearly equal, empty, and awkward to sort or to quote. */
const TEXTS = [
  'a',
  'b',
  'c',
  'd',
  'A',
  'ab',
  'ä',
  '',
  'e\u0301',
  '\u{1F600}',
  '\uFF5E',
  'x%_\'"\\',
  'long '.repeat(60),
  null,
];
const NUMBERS = [0, 1, 2, 3, 10, -1, 9_007_199_254_740_991, null];
const POOLS: Partial<Record<AttributeKind, readonly Json[]>> = {
  Number: NUMBERS,
  Boolean: [true, false, null],
  Dropdown: ['leaf', 'spine', 'core', null],
  IPHost: ['10.0.0.1/24', '10.0.0.9/24', '10.0.0.10/32', '9.0.0.1/8', '2001:db8::1/64', '::1/128', null],
  DateTime: [
    '2026-01-01T10:00:00Z',
    '2026-01-01T10:00:00.5Z',
    '2026-01-01T10:00:01Z',
    '1999-12-31T23:59:59.999999Z',
    null,
  ],
  List: [[], ['a'], ['a', 1, null], null],
  JSON: [{}, {a: 1, b: [true, null]}, {b: [true, null], a: 1}, 'text', 0, false, null],
};

export const poolOf = (kind: AttributeKind): readonly Json[] => POOLS[kind] ?? TEXTS;

export const chosenFrom = <T>(list: readonly T[], pick: number): T | undefined =>
  list[pick % Math.max(1, list.length)];

export const someValue = (kind: AttributeKind, pick: number): Json => chosenFrom(poolOf(kind), pick) ?? null;

/** Accounts that stand as source and owner; nobody asks whether they exist. */
const PEOPLE = [numberedId(0xfff_001), numberedId(0xfff_002), null];

export const people = (pick: number) => chosenFrom(PEOPLE, pick) ?? null;

/** Mostly just the value; now and then one more thing, or only that. */
export function writeOf(kind: AttributeKind, value: number, metadata: number): AttributeWrite {
  const said: AttributeWrite = {value: someValue(kind, value)};
  switch (metadata % 16) {
    case 1:
      return {...said, isDefault: true};
    case 2:
      return {...said, isFromProfile: true, isDefault: true, source: people(value)};
    case 3:
      return {isProtected: value % 2 === 0};
    case 4:
      return {isVisible: value % 2 === 0};
    case 5:
      return {source: people(value)};
    case 6:
      return {...said, owner: people(value), isProtected: true};
    default:
      return said;
  }
}

export function propertiesOf(pick: number): Partial<EdgeProperties> {
  switch (pick % 8) {
    case 1:
      return {isProtected: pick % 16 < 8};
    case 2:
      return {isVisible: false, owner: people(pick)};
    case 3:
      return {source: people(pick)};
    case 4:
      return PLAIN_EDGE;
    default:
      return {};
  }
}
