import {fieldsPerKindMax, kindsMax} from '../limits.ts';
import {problem} from '../problem.ts';
import type {SchemaRule} from './rule.ts';

/** A schema stays within what the service can hold in its head, however many loads it came in. */
export const sizes: SchemaRule = function* (schema, source) {
  const kinds = source.kinds.size;
  if (kinds > kindsMax) {
    yield problem(
      '',
      `A schema may have at most ${kindsMax} kinds, this one would have ${kinds}; remove some`,
    );
  }
  for (const kind of source.kinds.keys()) {
    const fields = (schema.nodes.get(kind) ?? schema.generics.get(kind))?.fields.size ?? 0;
    if (fields <= fieldsPerKindMax) continue;
    yield problem(
      kind,
      `${kind} would have ${fields} fields, at most ${fieldsPerKindMax} are allowed; remove some`,
    );
  }
};
