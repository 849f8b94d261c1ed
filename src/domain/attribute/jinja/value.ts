import type {Json, JsonObject} from '../../../base/json.ts';
import {TemplateProblem} from './problem.ts';

/**
 * Values as Python has them. JSON stands for itself: an integral number is an int, another one a
 * float. What JSON lacks is a `Special`: floats that happen to be whole, undefined names, iterators
 * and the `loop` variable.
 */
export type Value = Json | Special | readonly Value[];

export abstract class Special {
  abstract readonly typeName: string;
}

export class Float extends Special {
  readonly typeName = 'float';
  readonly number: number;

  constructor(number: number) {
    super();
    this.number = number;
  }
}

/** A name that means nothing here. It may be tested and defaulted; any other use is a problem. */
export class Undefined extends Special {
  readonly typeName = 'Undefined';
  readonly problem: string;
  readonly isStrict: boolean;

  constructor(problem: string, isStrict = true) {
    super();
    this.problem = problem;
    this.isStrict = isStrict;
  }
}

/** What an inline `if` without `else` gives: Jinja2 lets this one pass as empty, even where it is strict. */
export const noElse = (): Undefined => new Undefined('an inline if without else gave nothing', false);

/** What `unique` and `reverse` give: items that can be taken once and have no text of their own. */
export class OneShot extends Special {
  readonly typeName = 'generator';
  #produce: (() => readonly Value[]) | null;

  constructor(produce: () => readonly Value[]) {
    super();
    this.#produce = produce;
  }

  take(): readonly Value[] {
    const produce = this.#produce;
    if (produce === null)
      throw new TemplateProblem('a sequence from unique or reverse is used twice: add |list to it');
    this.#produce = null;
    return produce();
  }
}

export class Loop extends Special {
  readonly typeName = 'LoopContext';
  readonly index0: number;
  readonly length: number;

  constructor(index0: number, length: number) {
    super();
    this.index0 = index0;
    this.length = length;
  }
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isDict(value: Value): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Special);
}

export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (value instanceof Special) return value.typeName;
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    default:
      return isList(value) ? 'list' : 'dict';
  }
}

/** The value, which must mean something or be the empty result of an inline `if`. */
export function defined(value: Value): Value {
  if (value instanceof Undefined && value.isStrict) throw new TemplateProblem(value.problem);
  return value;
}

/** The value, which must mean something. */
export function present(value: Value): Exclude<Value, Undefined> {
  if (value instanceof Undefined) throw new TemplateProblem(value.problem);
  return value;
}

export type Numeric = {readonly float: boolean; readonly number: number};

/** A number, or a boolean as the 0 or 1 it is in Python; null for anything else. */
export function numeric(value: Value): Numeric | null {
  if (typeof value === 'boolean') return {float: false, number: Number(value)};
  if (value instanceof Float) return {float: true, number: value.number};
  if (typeof value !== 'number') return null;
  if (Number.isInteger(value)) return {float: false, number: exactInteger(value)};
  return {float: true, number: value};
}

/** Integers stay within what a double holds exactly; Python's go on, so beyond it we stop. */
export function exactInteger(number: number): number {
  if (!Number.isSafeInteger(number))
    throw new TemplateProblem('an integer is beyond 9007199254740991 either way');
  return number === 0 ? 0 : number;
}

export function truth(value: Value): boolean {
  const used = defined(value);
  if (used === null || used instanceof Undefined) return false;
  if (typeof used === 'boolean') return used;
  if (typeof used === 'string') return used !== '';
  const number = numeric(used);
  if (number !== null) return number.number !== 0;
  if (isList(used)) return used.length > 0;
  return !isDict(used) || Object.keys(used).length > 0;
}

/** What a `for` goes through: items of a list, characters of a text, keys of an object. */
export function iterate(value: Value): readonly Value[] {
  const used = defined(value);
  if (isList(used)) return used;
  if (typeof used === 'string') return Array.from(used);
  if (used instanceof OneShot) return used.take();
  if (isDict(used)) return Object.keys(used);
  if (used instanceof Undefined) return [];
  throw new TemplateProblem(`a value of type ${typeName(used)} cannot be iterated`);
}
