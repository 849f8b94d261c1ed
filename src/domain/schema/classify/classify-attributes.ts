import {type Json, sameJson} from '../../../base/json.ts';
import type {AttributeSchema, ConcreteSchema, Schema} from '../schema.ts';
import type {AttributeConstraint, SchemaChange} from './changes.ts';
import {refused} from './refused.ts';

export function* classifyAttributes(
  before: ConcreteSchema,
  after: ConcreteSchema,
  schemaAfter: Schema,
): Iterable<SchemaChange> {
  const kind = after.kind;
  const attributesBefore = new Map(before.attributes.map(attribute => [attribute.id, attribute]));
  for (const attribute of after.attributes) {
    const was = attributesBefore.get(attribute.id) ?? movedFrom(attribute, before, schemaAfter);
    if (was === undefined) {
      const needsValue = !attribute.optional && attribute.computed_attribute === null;
      yield {is: 'attribute-added', kind, attribute, needsValue, constraint: 'node.attribute.add'};
      continue;
    }
    attributesBefore.delete(was.id);
    if (was.id !== attribute.id) yield {is: 'attribute-moved', kind, attribute, before: was};
    if (was.name !== attribute.name) yield {is: 'attribute-renamed', kind, attribute, from: was.name};
    yield* classifyAttribute(kind, was, attribute, after.type);
  }
  for (const attribute of attributesBefore.values()) yield {is: 'attribute-removed', kind, attribute};
}

/** The attribute of this name that an earlier generic in the list now hides, see `noteLateAttributes`. */
function movedFrom(
  attribute: AttributeSchema,
  before: ConcreteSchema,
  schemaAfter: Schema,
): AttributeSchema | undefined {
  const twin = before.attributes.find(each => each.name === attribute.name && each.inherited);
  if (twin === undefined || twin.declaredBy === attribute.declaredBy) return undefined;
  const home = schemaAfter.generics.get(twin.declaredBy);
  return home?.attributes.some(each => each.id === twin.id) === true ? twin : undefined;
}

function* classifyAttribute(
  kind: string,
  before: AttributeSchema,
  after: AttributeSchema,
  type: ConcreteSchema['type'],
): Iterable<SchemaChange> {
  if (before.branch !== after.branch && type === 'node') {
    yield refused(
      `${kind}.${after.name}.branch`,
      `branch of ${kind}.${after.name}`,
      before.branch,
      after.branch,
    );
  }
  if (before.kind !== after.kind) {
    const constraint = 'attribute.kind.update';
    yield {is: 'attribute-kind-changed', kind, attribute: after, from: before.kind, constraint};
  }
  if (before.optional && !after.optional) {
    yield {is: 'attribute-made-mandatory', kind, attribute: after, constraint: 'attribute.optional.update'};
  }
  for (const [property, constraint] of tightened(before, after)) {
    yield {is: 'attribute-tightened', kind, attribute: after, property, constraint};
  }
}

function* tightened(
  before: AttributeSchema,
  after: AttributeSchema,
): Iterable<readonly [string, AttributeConstraint]> {
  if (losesMembers(before.enum, after.enum)) yield ['enum', 'attribute.enum.update'];
  const names = (attribute: AttributeSchema) => attribute.choices?.map(choice => choice.name) ?? null;
  if (losesMembers(names(before), names(after))) yield ['choices', 'attribute.choices.update'];
  const [was, is] = [before.parameters, after.parameters] as readonly Readonly<Record<string, Json>>[];
  for (const [parameter, value] of Object.entries(is ?? {})) {
    if (value === null || value === '' || parameter === 'number_pool_id') continue;
    if (sameJson(was?.[parameter] ?? null, value)) continue;
    if (isLooser(parameter, was?.[parameter] ?? null, value)) continue;
    yield [parameter, TEXT_PARAMETERS[parameter] ?? `attribute.parameters.${parameter}.update`];
  }
}

const TEXT_PARAMETERS: Readonly<Record<string, AttributeConstraint | undefined>> = {
  regex: 'attribute.regex.update',
  min_length: 'attribute.min_length.update',
  max_length: 'attribute.max_length.update',
};

/** A list that only grew allows all that it allowed; no list at all allowed everything. */
function losesMembers(before: readonly Json[] | null, after: readonly Json[] | null): boolean {
  if (after === null) return false;
  if (before === null) return true;
  return before.some(member => !after.some(each => sameJson(member, each)));
}

function isLooser(parameter: string, before: Json, after: Json): boolean {
  if (typeof before !== 'number' || typeof after !== 'number') return false;
  if (parameter.startsWith('min_') || parameter === 'start_range') return after < before;
  return after > before;
}
