import {problem} from '../problem.ts';
import {kindName} from '../source.ts';
import type {SchemaRule} from './rule.ts';

/** Counts agree with the cardinality. */
export const relationshipCounts: SchemaRule = function* (_, source) {
  for (const definition of source.kinds.values()) {
    for (const {name, cardinality, min_count, max_count, optional} of definition.relationships) {
      const path = `${kindName(definition)}.${name}`;
      if (cardinality === 'one') {
        if (max_count > 1) {
          yield problem(
            `${path}.max_count`,
            `${name} has cardinality one, so max_count cannot be ${max_count}; remove it, or use many`,
          );
        }
        if (min_count > 1 || (min_count === 1 && optional)) {
          yield problem(
            `${path}.min_count`,
            `${name} has cardinality one, so min_count cannot be ${min_count}; use optional: false to make it mandatory`,
          );
        }
        continue;
      }
      if (max_count === 1) {
        yield problem(
          `${path}.max_count`,
          `${name} has cardinality many and max_count 1; use cardinality one`,
        );
      } else if (max_count !== 0 && min_count > max_count) {
        yield problem(
          `${path}.min_count`,
          `min_count of ${name} is ${min_count}, above its max_count of ${max_count}; swap them`,
        );
      }
    }
  }
};
