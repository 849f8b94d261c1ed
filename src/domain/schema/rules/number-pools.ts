import {inheritedField, isAttribute} from '../lookup-definitions.ts';
import {problem} from '../problem.ts';
import {kindName} from '../source.ts';
import type {SchemaRule} from './rule.ts';

/** A number from a pool is always there, set by nobody, and drawn from one pool for all kinds of a generic. */
export const numberPools: SchemaRule = function* (_, source) {
  for (const [kind, definition] of source.kinds) {
    for (const {name, kind: attributeKind, optional, read_only, default_value} of definition.attributes) {
      if (attributeKind !== 'NumberPool') continue;
      const path = `${kind}.${name}`;
      if (optional) yield problem(`${path}.optional`, `${name} is a NumberPool and needs optional: false`);
      if (!read_only) yield problem(`${path}.read_only`, `${name} is a NumberPool and needs read_only: true`);
      if (default_value !== null) {
        yield problem(`${path}.default_value`, `${name} takes its value from its pool; remove default_value`);
      }
      const inherited =
        definition.type === 'node' ? inheritedField(source.kinds, definition, name) : undefined;
      if (inherited !== undefined && isAttribute(inherited.field) && inherited.field.kind === 'NumberPool') {
        const generic = kindName(inherited.generic);
        yield problem(
          path,
          `${name} shares its pool with all kinds of ${generic} and cannot be overridden; remove it here`,
        );
      }
    }
  }
};
