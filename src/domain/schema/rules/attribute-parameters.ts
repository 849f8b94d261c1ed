import {parseNumberRanges} from '../../attribute/number-ranges.ts';
import {checkRegex} from '../../attribute/regex.ts';
import {declaredKinds} from '../lookup.ts';
import {parametersOfKind} from '../parameters-of-kind.ts';
import {problem, type SchemaProblem} from '../problem.ts';
import type {AttributeSchema} from '../schema.ts';
import {ownAttributes, type SchemaRule} from './rule.ts';

/** Parameters fit the attribute's kind and leave room for values. */
export const attributeParameters: SchemaRule = function* (schema) {
  for (const kind of declaredKinds(schema)) {
    for (const attribute of ownAttributes(kind)) {
      const path = `${kind.kind}.${attribute.name}.parameters`;
      yield* misplaced(attribute, path);
      yield* malformed(attribute, path);
      yield* contradictory(attribute, path);
    }
  }
};

function* misplaced({name, kind, parameters}: AttributeSchema, path: string): Iterable<SchemaProblem> {
  const known: readonly string[] = parametersOfKind(kind);
  for (const [parameter, value] of Object.entries(parameters)) {
    if (known.includes(parameter) || value === null || value === '') continue;
    const advice = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
    yield problem(path, `${parameter} means nothing for ${name}, which is a ${kind}: ${advice}; remove it`);
  }
}

function* malformed({name, parameters}: AttributeSchema, path: string): Iterable<SchemaProblem> {
  const {regex, excluded_values} = parameters;
  const badRegex = regex ? checkRegex(regex) : null;
  if (badRegex !== null) yield problem(path, `the regular expression of ${name} ${badRegex}`);
  const ranges = excluded_values ? parseNumberRanges(excluded_values) : undefined;
  if (ranges?.ok === false) yield problem(path, `in the excluded_values of ${name}, ${ranges.problem}`);
}

const BOUNDS = [
  ['min_length', 'max_length'],
  ['min_value', 'max_value'],
  ['start_range', 'end_range'],
] as const;

function* contradictory({name, parameters}: AttributeSchema, path: string): Iterable<SchemaProblem> {
  for (const [low, high] of BOUNDS) {
    const [min, max] = [parameters[low] ?? null, parameters[high] ?? null];
    if (min === null || max === null || min <= max) continue;
    yield problem(
      path,
      `${low} of ${name} is ${min}, above its ${high} of ${max}; no value would fit, swap them`,
    );
  }
}
