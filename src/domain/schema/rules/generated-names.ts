import {declaredKinds} from '../lookup.ts';
import {problem, type SchemaProblem} from '../problem.ts';
import type {GenericSchema, NodeSchema} from '../schema.ts';
import {HIERARCHY_FIELDS, isServiceNamespace} from '../vocabulary.ts';
import {isDeclared, type SchemaRule} from './rule.ts';

/** A kind's own fields leave free the names of those that the service adds to it. */
export const generatedNames: SchemaRule = function* (schema) {
  for (const kind of declaredKinds(schema)) {
    if (isServiceNamespace(kind.namespace)) continue;
    yield* check(kind, ['member_of_groups', 'subscriber_of_groups'], 'leads to its groups');
    if (schema.profiles.has(`Profile${kind.kind}`)) {
      yield* check(kind, ['profiles'], 'leads to its profiles');
      yield* check(kind, ['profile_name', 'profile_priority', 'related_nodes'], 'belongs to its profile');
    }
    if (schema.templates.has(`Template${kind.kind}`)) {
      yield* check(kind, ['object_template', 'template_name', 'related_nodes'], 'belongs to its template');
    }
    const isHierarchical = kind.type === 'generic' ? kind.hierarchical : kind.hierarchy !== null;
    if (isHierarchical) yield* check(kind, HIERARCHY_FIELDS, 'leads through its hierarchy');
  }
};

function* check(
  kind: NodeSchema | GenericSchema,
  names: readonly string[],
  use: string,
): Iterable<SchemaProblem> {
  for (const name of names) {
    const field = kind.fields.get(name);
    if (field === undefined || field.inherited || (field.is === 'relationship' && !isDeclared(field)))
      continue;
    const message = `the service adds ${name} to ${kind.kind}, where it ${use}; choose another name`;
    yield problem(`${kind.kind}.${name}.name`, message);
  }
}
