import {problemsMax} from '../limits.ts';
import type {SchemaProblem} from '../problem.ts';
import type {Schema} from '../schema.ts';
import type {SchemaSource} from '../source.ts';
import type {SchemaRule} from './rule.ts';

const RULES: readonly SchemaRule[] = [];

export function checkSchema(source: SchemaSource, schema: Schema): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  for (const rule of RULES) {
    for (const problem of rule(schema, source)) {
      if (problems.length < problemsMax) problems.push(problem);
    }
  }
  return problems;
}
