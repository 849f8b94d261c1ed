import {declaredKinds} from '../lookup.ts';
import {problem, type SchemaProblem} from '../problem.ts';
import type {AttributeSchema, KindSchema, Schema} from '../schema.ts';
import type {SchemaRule} from './rule.ts';
import {templateProblems} from './template-paths.ts';

/** What the service computes nobody sets, and a template reads only what its kind has. */
export const computedAttributes: SchemaRule = function* (schema) {
  for (const kind of declaredKinds(schema)) {
    for (const attribute of kind.attributes) {
      // An inherited template is read again on each heir: an override may have changed what it leads to.
      if (attribute.computed_attribute !== null) yield* check(schema, kind, attribute);
    }
  }
};

function* check(schema: Schema, kind: KindSchema, attribute: AttributeSchema): Iterable<SchemaProblem> {
  const {name, computed_attribute} = attribute;
  const path = `${kind.kind}.${name}`;
  if (!attribute.inherited) yield* checkFlags(attribute, path);
  if (computed_attribute?.kind !== 'Jinja2') return;
  for (const message of templateProblems(schema, kind, computed_attribute.jinja2_template, name)) {
    yield problem(`${path}.computed_attribute`, message);
  }
}

function* checkFlags(attribute: AttributeSchema, path: string): Iterable<SchemaProblem> {
  const {name, kind, read_only, optional, computed_attribute} = attribute;
  if (!read_only) yield problem(`${path}.read_only`, `${name} is computed and needs read_only: true`);
  if (computed_attribute?.kind === 'Jinja2' && kind !== 'Text' && kind !== 'URL') {
    yield problem(
      `${path}.kind`,
      `${name} is computed by a template, so its kind must be Text or URL, not ${kind}`,
    );
  }
  if (computed_attribute?.kind === 'TransformPython' && !optional) {
    yield problem(`${path}.optional`, `${name} is computed after its object exists and needs optional: true`);
  }
}
