import type {Budget} from './budget.ts';
import {TemplateProblem} from './problem.ts';
import {defined, numeric, typeName, type Value} from './value.ts';

/** One value per parameter, undefined where the template gives none. */
export type FilterArguments = readonly (Value | undefined)[];

export type Filter = {
  readonly parameters: readonly string[];
  readonly required: number;
  readonly apply: (value: Value, args: FilterArguments, budget: Budget) => Value;
};

/** A filter without arguments. */
export function plain(apply: (value: Value, budget: Budget) => Value): Filter {
  return {parameters: [], required: 0, apply: (value, _, budget) => apply(defined(value), budget)};
}

export function integerArgument(value: Value | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  const number = numeric(defined(value));
  if (number === null || number.float)
    throw new TemplateProblem(`an integer is needed, not ${typeName(value)}`);
  return number.number;
}
