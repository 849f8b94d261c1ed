import {kindOf} from '../lookup.ts';
import {hasProperty, resolvePath} from '../paths.ts';
import {problem} from '../problem.ts';
import type {KindSchema, Schema} from '../schema.ts';
import type {SchemaRule} from './rule.ts';

/** A constraint names attributes of the kind and mandatory relationships to one object. */
export const uniquenessPaths: SchemaRule = function* (schema, source) {
  for (const [name, definition] of source.kinds) {
    const kind = kindOf(schema, name);
    if (kind === undefined || definition.uniqueness_constraints === null) continue;
    const path = `${name}.uniqueness_constraints`;
    for (const constraint of definition.uniqueness_constraints) {
      if (constraint.length === 0)
        yield problem(path, 'a uniqueness constraint is empty; list its fields or remove it');
      for (const part of constraint) {
        const message = whatIsWrong(schema, kind, part);
        if (message !== undefined) yield problem(path, message);
      }
    }
  }
};

function whatIsWrong(schema: Schema, kind: KindSchema, part: string): string | undefined {
  const resolved = resolvePath(schema, kind, part);
  switch (resolved.is) {
    case 'unresolved':
      return resolved.message;
    case 'attribute':
      return hasProperty(part) ? undefined : `write ${part}__value instead of ${part}`;
    case 'peer-attribute':
      return `"${part}" looks into another object; use the relationship ${resolved.relationship.name} itself`;
    case 'relationship': {
      const {name, cardinality, optional} = resolved.relationship;
      if (cardinality === 'one' && !optional) return undefined;
      return `${name} can be part of a uniqueness constraint only with cardinality one and optional: false`;
    }
  }
}
