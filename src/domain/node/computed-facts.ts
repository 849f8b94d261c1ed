import type {Template} from '../attribute/jinja/template.ts';
import {parseTemplate} from '../attribute/jinja/template.ts';
import {resolvePath} from '../schema/paths.ts';
import type {AttributeSchema, ConcreteSchema, RelationshipSchema, Schema} from '../schema/schema.ts';

/** What a template reads under one variable. */
export type TemplateInput =
  | {
      readonly is: 'own';
      readonly variable: string;
      readonly attribute: AttributeSchema;
      readonly property: string;
    }
  | {
      readonly is: 'peer';
      readonly variable: string;
      readonly relationship: RelationshipSchema;
      readonly attribute: AttributeSchema;
      readonly property: string;
    };

/** An attribute that the service renders from others. */
export interface ComputedFacts {
  readonly attribute: AttributeSchema;
  readonly template: Template;
  readonly inputs: readonly TemplateInput[];
}

/** The computed attributes of a kind, each after those of its own object that it reads. */
export function computedFacts(schema: Schema, kind: ConcreteSchema): readonly ComputedFacts[] {
  if (kind.type !== 'node') return [];
  const facts = kind.attributes.flatMap(attribute => {
    if (attribute.computed_attribute?.kind !== 'Jinja2') return [];
    const parsed = parseTemplate(attribute.computed_attribute.jinja2_template);
    if (!parsed.ok) return [];
    const inputs = parsed.variables.flatMap(variable => templateInput(schema, kind, variable) ?? []);
    return {attribute, template: parsed.template, inputs};
  });
  return inReadingOrder(facts);
}

function inReadingOrder(facts: readonly ComputedFacts[]): readonly ComputedFacts[] {
  const byName = new Map(facts.map(each => [each.attribute.name, each]));
  const ordered = new Set<ComputedFacts>();
  const visiting = new Set<ComputedFacts>();
  const visit = (each: ComputedFacts): void => {
    if (visiting.has(each)) return;
    visiting.add(each);
    for (const input of each.inputs) {
      const read = input.is === 'own' ? byName.get(input.attribute.name) : undefined;
      if (read !== undefined) visit(read);
    }
    ordered.add(each);
  };
  for (const each of facts) visit(each);
  return [...ordered];
}

function templateInput(schema: Schema, kind: ConcreteSchema, variable: string): TemplateInput | undefined {
  const path = resolvePath(schema, kind, variable);
  if (path.is === 'attribute') {
    return {is: 'own', variable, attribute: path.attribute, property: path.property};
  }
  if (path.is !== 'peer-attribute') return undefined;
  const {relationship, attribute, property} = path;
  return {is: 'peer', variable, relationship, attribute, property};
}
