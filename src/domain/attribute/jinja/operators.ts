import {compareText} from '../sort-key.ts';
import type {Budget} from './budget.ts';
import {TemplateProblem} from './problem.ts';
import {
  defined,
  exactInteger,
  Float,
  isDict,
  isList,
  iterate,
  type Numeric,
  numeric,
  OneShot,
  typeName,
  Undefined,
  type Value,
} from './value.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';
export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';

export function calculate(operator: ArithmeticOperator, left: Value, right: Value, budget: Budget): Value {
  if (operator === '%' && typeof left === 'string') {
    throw new TemplateProblem('formatting with % is not supported');
  }
  const [a, b] = [numeric(defined(left)), numeric(defined(right))];
  if (a !== null && b !== null) return onNumbers(operator, a, b);
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') {
    budget.spendText(left.length + right.length);
    return left + right;
  }
  if (operator === '+' && isList(left) && isList(right)) {
    budget.spend(left.length + right.length);
    return [...left, ...right];
  }
  if (operator === '*') {
    if (b !== null && !b.float && a === null) return repeated(left, b.number, budget);
    if (a !== null && !a.float && b === null) return repeated(right, a.number, budget);
  }
  throw new TemplateProblem(`${typeName(left)} ${operator} ${typeName(right)} has no meaning`);
}

function repeated(value: Value, count: number, budget: Budget): Value {
  const times = Math.max(0, count);
  if (typeof value === 'string') {
    budget.spendText(value.length * times);
    return value.repeat(times);
  }
  if (!isList(value))
    throw new TemplateProblem(`a value of type ${typeName(value)} cannot be repeated with *`);
  budget.spend(value.length * times);
  return new Array<readonly Value[]>(value.length === 0 ? 0 : times).fill(value).flat(1);
}

function onNumbers(operator: ArithmeticOperator, a: Numeric, b: Numeric): Value {
  const float = a.float || b.float;
  const result = (number: number) => (float ? new Float(number) : exactInteger(number));
  switch (operator) {
    case '+':
      return result(a.number + b.number);
    case '-':
      return result(a.number - b.number);
    case '*':
      return result(a.number * b.number);
    case '/':
      return new Float(a.number / divisor(b));
    case '//':
      return result(
        float ? floatDivision(a.number, divisor(b)).quotient : division(a.number, divisor(b)).quotient,
      );
    case '%':
      return result(float ? floatDivision(a.number, divisor(b)).rest : division(a.number, divisor(b)).rest);
    case '**':
      if (float || b.number < 0) throw new TemplateProblem('** is supported between integers from 0 only');
      return exactInteger(a.number ** b.number);
  }
}

function divisor(value: Numeric): number {
  if (value.number === 0) throw new TemplateProblem('division by zero');
  return value.number;
}

type Division = {readonly quotient: number; readonly rest: number};

/** Toward minus infinity, as Python divides integers. */
function division(a: number, b: number): Division {
  const rest = a % b;
  const quotient = (a - rest) / b;
  return rest !== 0 && rest < 0 !== b < 0 ? {quotient: quotient - 1, rest: rest + b} : {quotient, rest};
}

/** The steps of CPython's float division, so that signs of zero and rounding agree. */
function floatDivision(a: number, b: number): Division {
  let rest = a % b;
  let quotient = (a - rest) / b;
  if (rest === 0) {
    rest = b < 0 ? -0 : 0;
  } else if (rest < 0 !== b < 0) {
    rest += b;
    quotient -= 1;
  }
  if (quotient === 0) return {quotient: a / b < 0 || Object.is(a / b, -0) ? -0 : 0, rest};
  const floor = Math.floor(quotient);
  return {quotient: quotient - floor > 0.5 ? floor + 1 : floor, rest};
}

export function signed(negative: boolean, operand: Value): Value {
  const number = numeric(defined(operand));
  if (number === null) throw new TemplateProblem(`a value of type ${typeName(operand)} has no sign`);
  const signedNumber = negative ? -number.number : number.number;
  return number.float ? new Float(signedNumber) : exactInteger(signedNumber);
}

export function compares(operator: CompareOperator, left: Value, right: Value, budget: Budget): boolean {
  switch (operator) {
    case '==':
      return equal(left, right, budget);
    case '!=':
      return !equal(left, right, budget);
    case '<':
      return order(left, right, operator, budget) < 0;
    case '<=':
      return order(left, right, operator, budget) <= 0;
    case '>':
      return order(left, right, operator, budget) > 0;
    case '>=':
      return order(left, right, operator, budget) >= 0;
    case 'in':
      return contains(right, left, budget);
    case 'not in':
      return !contains(right, left, budget);
  }
}

export function equal(left: Value, right: Value, budget: Budget): boolean {
  budget.spend(1);
  const [a, b] = [defined(left), defined(right)];
  const [x, y] = [numeric(a), numeric(b)];
  if (x !== null && y !== null) return x.number === y.number;
  if (typeof a === 'string' && typeof b === 'string') {
    budget.spend(Math.ceil(Math.min(a.length, b.length) / 100));
    return a === b;
  }
  if (isList(a) && isList(b)) {
    return (
      a.length === b.length &&
      budget.nested(() => a.every((item, index) => equal(item, b[index] as Value, budget)))
    );
  }
  if (isDict(a) && isDict(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      budget.nested(() =>
        keys.every(key => Object.hasOwn(b, key) && equal(a[key] as Value, b[key] as Value, budget)),
      )
    );
  }
  return a === b || (a instanceof Undefined && b instanceof Undefined);
}

/** Negative, zero, positive, or NaN where a number is not one; what Python cannot order is a problem. */
export function order(left: Value, right: Value, operator: string, budget: Budget): number {
  budget.spend(1);
  const [a, b] = [defined(left), defined(right)];
  const [x, y] = [numeric(a), numeric(b)];
  if (x !== null && y !== null) {
    if (x.number === y.number) return 0;
    return x.number < y.number ? -1 : x.number > y.number ? 1 : Number.NaN;
  }
  if (typeof a === 'string' && typeof b === 'string') {
    budget.spend(Math.ceil(Math.min(a.length, b.length) / 100));
    return compareText(a, b);
  }
  if (isList(a) && isList(b)) {
    const differs = a.findIndex(
      (item, index) => index >= b.length || !equal(item, b[index] as Value, budget),
    );
    if (differs === -1 || differs >= b.length) return a.length - b.length;
    return budget.nested(() => order(a[differs] as Value, b[differs] as Value, operator, budget));
  }
  throw new TemplateProblem(`${typeName(a)} ${operator} ${typeName(b)} has no meaning`);
}

function contains(whole: Value, part: Value, budget: Budget): boolean {
  if (typeof whole === 'string') {
    if (typeof part !== 'string') {
      throw new TemplateProblem(`a text contains no value of type ${typeName(part)}`);
    }
    budget.spendText(whole.length);
    return whole.includes(part);
  }
  if (isDict(whole)) {
    if (isList(defined(part)) || isDict(part)) {
      throw new TemplateProblem(`a value of type ${typeName(part)} is never a key`);
    }
    return typeof part === 'string' && Object.hasOwn(whole, part);
  }
  if (isList(whole) || whole instanceof OneShot || whole instanceof Undefined) {
    return iterate(whole).some(item => equal(item, part, budget));
  }
  throw new TemplateProblem(`a value of type ${typeName(whole)} contains nothing`);
}
