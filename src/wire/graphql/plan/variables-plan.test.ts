import fc from 'fast-check';
import {buildSchema, getVariableValues, Kind, type OperationDefinitionNode, parse} from 'graphql';
import {describe, expect, test} from 'vitest';
import {RequestRefused} from '../errors.ts';
import {VariablesPlan} from './variables-plan.ts';

const schema = buildSchema(`
  enum Colour { RED GREEN }
  scalar Any
  input Point { x: Int! y: Int = 3 near: [Point!] colour: Colour = GREEN }
  type Query { a(b: ID, c: Float, d: Colour, e: Point, f: Any): Int }
`);

const TYPES = ['String', 'ID', 'Int', 'Float', 'Boolean', 'Colour', 'Point', 'Any'];
const SHAPES = TYPES.flatMap(type => [type, `${type}!`, `[${type}]`, `[${type}!]!`, `[[${type}]]`]);

const operationOf = (text: string) =>
  parse(text).definitions.find(each => each.kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;

/** Objects that are often right, and often wrong in one of their fields. */
const point = () =>
  fc.letrec(tie => ({
    point: fc.record(
      {
        x: fc.constantFrom<unknown>(1, 2, 1.5),
        y: fc.constantFrom<unknown>(4, null),
        near: fc.array(tie('point'), {maxLength: 2}),
        colour: fc.constantFrom<unknown>('RED', 'BLUE', null),
        unknown: fc.constant(1),
      },
      {requiredKeys: []},
    ),
  })).point;

const value = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 2_147_483_648, '', 'RED', 'text', '7', {x: 1}, {x: '1'}, {y: 2}),
  point(),
  fc.double(),
);
const given = fc.oneof(
  value,
  fc.array(fc.oneof(value, fc.array(value, {maxLength: 2})), {maxLength: 3}),
  fc.constant(undefined),
);

describe('the variables of an operation', () => {
  test('are read, and refused, as the reference implementation does', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SHAPES), given, fc.boolean(), (type, shown, isShown) => {
        const operation = operationOf(`query ($v: ${type}) { a }`);
        const variables = isShown ? {v: shown} : {};
        const {coerced, errors} = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
          maxErrors: 20,
        });
        const plan = new VariablesPlan(schema, operation);
        if (coerced !== undefined) expect(plan.read(variables)).toEqual({...coerced});
        else {
          const refused = refusalOf(() => plan.read(variables));
          expect(refused.errors.map(({message}) => message)).toEqual(errors?.map(({message}) => message));
        }
      }),
      {numRuns: 2000},
    );
  });

  test('that are left out have their default, those that are null are null', () => {
    const operation = operationOf('query ($a: Int = 5, $b: [String] = ["x"], $c: Int = 6, $d: ID) { a }');
    const plan = new VariablesPlan(schema, operation);
    expect(plan.read({c: null})).toEqual({a: 5, b: ['x'], c: null});
  });
});

function refusalOf(body: () => unknown): RequestRefused {
  try {
    body();
  } catch (error) {
    if (error instanceof RequestRefused) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
