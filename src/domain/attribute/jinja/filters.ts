import type {Budget} from './budget.ts';
import type {Filter, FilterArguments} from './filter.ts';
import {abs, float, int, round} from './number-filters.ts';
import {first, join, last, length, list, reverse, sort, unique} from './sequence-filters.ts';
import {capitalized, lower, replace, string, title, trim, upper} from './text-filters.ts';
import {truth, Undefined, type Value} from './value.ts';

const defaulted: Filter = {
  parameters: ['default_value', 'boolean'],
  required: 0,
  apply: (value, [otherwise = '', boolean = false]) => {
    const isMissing = value instanceof Undefined || (truth(boolean) && !truth(value));
    return isMissing ? otherwise : value;
  },
};

const FILTERS = {
  abs,
  capitalize: capitalized,
  count: length,
  d: defaulted,
  default: defaulted,
  first,
  float,
  int,
  join,
  last,
  length,
  list,
  lower,
  replace,
  reverse,
  round,
  sort,
  string,
  title,
  trim,
  unique,
  upper,
} as const satisfies Record<string, Filter>;

export type FilterName = keyof typeof FILTERS;

export const FILTER_NAMES = Object.keys(FILTERS) as readonly FilterName[];

export const isFilterName = (name: string): name is FilterName => Object.hasOwn(FILTERS, name);

export const filterNamed = (name: FilterName): Filter => FILTERS[name];

export function applyFilter(name: FilterName, value: Value, args: FilterArguments, budget: Budget): Value {
  budget.spend(1);
  return FILTERS[name].apply(value, args, budget);
}
