import {buildSchema, parse} from 'graphql';
import {expect, test} from 'vitest';
import {variablesFromTexts} from './text-variables.ts';

const SCHEMA = buildSchema(`
  scalar BigInt
  scalar GenericScalar
  scalar DateTime
  enum Side { LEFT RIGHT }
  input Point { x: Int y: Int }
  type Query { any: Int other: Float id: ID }
`);

const read = (type: string, text: string | string[]) =>
  variablesFromTexts(SCHEMA, parse(`query ($v: ${type}) { any }`), {v: text}).v;

test.each([
  ['Int', '7', 7],
  ['Int!', '-7', -7],
  ['Int', 'seven', 'seven'],
  ['Int', '7.5', '7.5'],
  ['BigInt', '4294967296', 4_294_967_296],
  ['Float', '7', 7],
  ['Float!', '1e-3', 0.001],
  ['Float', 'NaN', 'NaN'],
  ['Boolean', 'true', true],
  ['Boolean!', 'No', false],
  ['Boolean', '1', true],
  ['Boolean', 'maybe', 'maybe'],
  ['String', '7', '7'],
  ['String!', 'true', 'true'],
  ['String', '', ''],
  ['ID', '007', '007'],
  ['DateTime', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z'],
  ['Side', 'LEFT', 'LEFT'],
  ['Point', '{"x": 1}', {x: 1}],
  ['Point', 'x=1', 'x=1'],
  ['GenericScalar', '[1, "two"]', [1, 'two']],
  ['GenericScalar', 'plain', 'plain'],
  ['[Int]', '7', [7]],
  ['[Int!]!', ['7', '8'], [7, 8]],
  ['[String]', '["a","b"]', ['a', 'b']],
  ['[String]', '[not json', ['[not json']],
  ['[String]', ['[a', 'b]'], ['[a', 'b]']],
  ['[Point!]', '{"x": 1}', [{x: 1}]],
  ['String', ['first', 'last'], 'last'],
  ['Nothing', '7', '7'],
])('a variable of %s with the text %o is %o', (type, text, value) => {
  expect(read(type, text)).toEqual(value);
});

test('what the document does not declare stays a text', () => {
  expect(variablesFromTexts(SCHEMA, parse('{ any }'), {a: '1', b: ['1', '2']})).toEqual({a: '1', b: '2'});
});
