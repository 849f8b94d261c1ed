import type {TLocalizedValidationError} from 'typebox/error';
import type {RequestFlaw} from '../http/problem.ts';

export type Where = 'path' | 'query' | 'body';

type Words = Pick<RequestFlaw, 'msg' | 'type'>;

/** What a schema check found, in the words that clients of such APIs know. */
export function flawsOf(
  where: Where,
  value: unknown,
  errors: readonly TLocalizedValidationError[],
): RequestFlaw[] {
  return errors.flatMap(error => {
    const loc = [where, ...location(value, error.instancePath)];
    if (error.keyword === 'required') {
      return error.params.requiredProperties.map(name => ({loc: [...loc, name], ...MISSING}));
    }
    if (error.keyword === 'additionalProperties') {
      return error.params.additionalProperties.map(name => ({loc: [...loc, name], ...EXTRA}));
    }
    // The schema `false` that stands for every other property: the object above has told of it.
    if (error.keyword === 'boolean') return [];
    return [{loc, ...wordsFor(error)}];
  });
}

export const MISSING: Words = {msg: 'Field required', type: 'missing'};
export const EXTRA: Words = {msg: 'Extra inputs are not permitted', type: 'extra_forbidden'};

const TYPE_WORDS: Readonly<Record<string, Words>> = {
  string: {msg: 'Input should be a valid string', type: 'string_type'},
  boolean: {msg: 'Input should be a valid boolean', type: 'bool_type'},
  integer: {msg: 'Input should be a valid integer', type: 'int_type'},
  number: {msg: 'Input should be a valid number', type: 'float_type'},
  array: {msg: 'Input should be a valid list', type: 'list_type'},
  object: {msg: 'Input should be a valid object', type: 'dict_type'},
  null: {msg: 'Input should be null', type: 'none_required'},
};

function wordsFor(error: TLocalizedValidationError): Words {
  switch (error.keyword) {
    case 'type': {
      const known = typeof error.params.type === 'string' ? TYPE_WORDS[error.params.type] : undefined;
      return known ?? {msg: error.message, type: 'value_error'};
    }
    case 'enum':
      return {msg: `Input should be ${choices(error.params.allowedValues)}`, type: 'literal_error'};
    case 'const':
      return {msg: `Input should be ${choices([error.params.allowedValue])}`, type: 'literal_error'};
    case 'minLength':
      return {
        msg: `String should have at least ${error.params.limit} characters`,
        type: 'string_too_short',
      };
    case 'maxLength':
      return {msg: `String should have at most ${error.params.limit} characters`, type: 'string_too_long'};
    case 'minItems':
      return {msg: `List should have at least ${error.params.limit} items`, type: 'too_short'};
    case 'maxItems':
      return {msg: `List should have at most ${error.params.limit} items`, type: 'too_long'};
    case 'minimum':
      return {
        msg: `Input should be greater than or equal to ${error.params.limit}`,
        type: 'greater_than_equal',
      };
    case 'maximum':
      return {msg: `Input should be less than or equal to ${error.params.limit}`, type: 'less_than_equal'};
    case 'pattern':
      return {msg: `String should match pattern '${error.params.pattern}'`, type: 'string_pattern_mismatch'};
    default:
      return {msg: `Value error, ${error.message}`, type: 'value_error'};
  }
}

const choices = (values: readonly unknown[]) => values.map(value => `'${String(value)}'`).join(' or ');

/** A JSON pointer as a path in which positions of a list are numbers. */
function location(value: unknown, pointer: string): (string | number)[] {
  const path: (string | number)[] = [];
  let current = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(current) ? Number(key) : key);
    current = typeof current === 'object' && current !== null ? Reflect.get(current, key) : undefined;
  }
  return path;
}
