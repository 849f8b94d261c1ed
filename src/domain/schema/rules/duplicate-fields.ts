import {fieldsOf} from '../lookup-definitions.ts';
import {problem} from '../problem.ts';
import type {SchemaRule} from './rule.ts';

/** On one kind a name means one field, and a field has one name. */
export const duplicateFields: SchemaRule = function* (schema, source) {
  for (const [kind, definition] of source.kinds) {
    const names = new Set<string>();
    for (const {name} of fieldsOf(definition)) {
      if (names.has(name)) {
        yield problem(
          `${kind}.${name}`,
          `${kind} has two fields called ${name}; rename or remove one of them`,
        );
      }
      names.add(name);
    }
  }
  for (const node of schema.nodes.values()) {
    const ids = new Map<string, string>();
    for (const {id, name} of node.fields.values()) {
      const other = ids.get(id);
      if (other !== undefined) {
        const message = `${name} and ${other} of ${node.kind} are one field under two names; remove ${other}`;
        yield problem(`${node.kind}.${name}`, message);
      }
      ids.set(id, name);
    }
  }
};
