import type {Budget} from './budget.ts';
import {calculate} from './operators.ts';
import {numeric, Undefined, type Value} from './value.ts';

const TESTS = {
  defined: (value: Value) => !(value instanceof Undefined),
  undefined: (value: Value) => value instanceof Undefined,
  none: (value: Value) => value === null,
  string: (value: Value) => typeof value === 'string',
  number: (value: Value) => numeric(value) !== null,
  even: (value: Value, budget: Budget) => hasRest(value, 0, budget),
  odd: (value: Value, budget: Budget) => hasRest(value, 1, budget),
} as const;

export type TestName = keyof typeof TESTS;

export const TEST_NAMES = Object.keys(TESTS) as readonly TestName[];

export const isTestName = (name: string): name is TestName => Object.hasOwn(TESTS, name);

export function passesTest(name: TestName, value: Value, budget: Budget): boolean {
  return TESTS[name](value, budget);
}

function hasRest(value: Value, rest: number, budget: Budget): boolean {
  return numeric(calculate('%', value, 2, budget))?.number === rest;
}
