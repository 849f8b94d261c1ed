import type {Json} from '../../../base/json.ts';
import {KIND_CHECKS} from '../../../domain/attribute/kinds/registry.ts';
import type {AttributeKind} from '../../../domain/attribute/kinds.ts';
import {validationError} from '../../../domain/errors.ts';
import type {Condition, Test} from '../../../domain/query/node-query.ts';
import {all, not} from './filter.ts';

/** A value in the form in which it is stored, so that equal things are found however they are written. */
export function storedForm(kind: AttributeKind, value: unknown): Json {
  const checked = KIND_CHECKS[kind](value);
  return checked.ok ? checked.value : (value as Json);
}

export function oneOf(kind: AttributeKind, values: readonly unknown[], isPartial: boolean): readonly Test[] {
  const given = values.filter(value => value !== null && value !== undefined);
  if (isPartial) {
    return given.map(value => ({op: 'contains', text: textOf(value), ignoreCase: true}));
  }
  return [{op: 'in', values: given.map(value => storedForm(kind, value))}];
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

export const COMPARISONS = {
  gt: 'greater',
  gte: 'greaterOrEqual',
  lt: 'less',
  lte: 'lessOrEqual',
} as const;

export type Operator =
  | 'value'
  | 'values'
  | 'isnull'
  | 'contains'
  | 'starts_with'
  | 'ends_with'
  | 'between'
  | keyof typeof COMPARISONS;

export interface TestOptions {
  readonly isPartial: boolean;
  readonly ignoreCase: boolean;
}

/** The condition that one operator puts on the value of an attribute. */
export function attributeCondition(
  attribute: string,
  kind: AttributeKind,
  operator: Operator,
  value: unknown,
  {isPartial, ignoreCase}: TestOptions,
): Condition {
  if (kind === 'HashedPassword' && operator !== 'isnull') {
    throw validationError(`${attribute} is a password: nothing can be found by it`);
  }
  const on = (test: Test): Condition => ({is: 'attribute', attribute, property: 'value', test});
  switch (operator) {
    case 'value':
      return any(oneOf(kind, [value], isPartial).map(on));
    case 'values':
      return any(oneOf(kind, value as readonly unknown[], isPartial).map(on));
    case 'isnull':
      return value === true ? on({op: 'isNull'}) : not(on({op: 'isNull'}));
    case 'contains':
      return on({op: 'contains', text: textOf(value), ignoreCase});
    case 'starts_with':
      return on({op: 'startsWith', text: textOf(value), ignoreCase});
    case 'ends_with':
      return on({op: 'endsWith', text: textOf(value), ignoreCase});
    case 'between': {
      const bounds = value as readonly unknown[];
      if (bounds.length !== 2 || bounds.includes(null)) {
        throw validationError(`between on ${attribute} takes two values: the least and the greatest`);
      }
      return all([
        on({op: 'greaterOrEqual', value: storedForm(kind, bounds[0])}),
        on({op: 'lessOrEqual', value: storedForm(kind, bounds[1])}),
      ]);
    }
    default:
      return on({op: COMPARISONS[operator], value: storedForm(kind, value)});
  }
}

const any = (of: readonly Condition[]): Condition => (of.length === 1 ? of[0]! : {is: 'any', of});
