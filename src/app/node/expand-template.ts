import type {NodeRecord} from '../../domain/graph/node.ts';
import {attributeOf, relationshipOf} from '../../domain/schema/lookup.ts';
import type {ConcreteSchema, RelationshipSchema} from '../../domain/schema/schema.ts';
import {requireNode} from './find-node.ts';
import type {AttributeInput, NodeInput, RelatedInput} from './node-input.ts';
import type {NodeWork} from './node-work.ts';
import {listOf} from './related-input.ts';

/** What a template says about itself, never about the objects made from it. */
const OWN_FIELD = 'template_name';

/**
 * The input with everything that its object template adds: attributes and peers that the caller left out, and
 * the parts of the template, each to be made from a template of its own.
 */
export async function expandTemplate(
  work: NodeWork,
  kind: ConcreteSchema,
  input: NodeInput,
): Promise<NodeInput> {
  const relationship = relationshipOf(kind, 'object_template');
  if (relationship?.kind !== 'Template') return input;
  const [reference] = listOf(input.relationships.object_template ?? null);
  if (reference === undefined || reference.data !== undefined) return input;
  const template = await requireNode(work.draft, work.schema, relationship.peer, reference);
  const model = work.facts.kind(template.kind).kind;
  return {
    ...input,
    attributes: {...valuesOf(kind, model, template), ...input.attributes},
    relationships: {
      ...(await peersOf(work, kind, model, template, input.relationships)),
      ...input.relationships,
      object_template: {...reference, id: template.id},
    },
  };
}

function valuesOf(
  kind: ConcreteSchema,
  model: ConcreteSchema,
  template: NodeRecord,
): Readonly<Record<string, AttributeInput>> {
  const values: Record<string, AttributeInput> = {};
  for (const {name} of model.attributes) {
    const attribute = attributeOf(kind, name);
    if (name === OWN_FIELD || attribute === undefined || attribute.read_only) continue;
    const value = template.value(name);
    if (value !== null) values[name] = {value, source: template.id};
  }
  return values;
}

async function peersOf(
  work: NodeWork,
  kind: ConcreteSchema,
  model: ConcreteSchema,
  template: NodeRecord,
  given: NodeInput['relationships'],
): Promise<Readonly<Record<string, readonly RelatedInput[]>>> {
  const peers: Record<string, readonly RelatedInput[]> = {};
  for (const modelled of model.relationships) {
    const relationship = relationshipOf(kind, modelled.name);
    if (relationship === undefined || relationship.read_only || Object.hasOwn(given, modelled.name)) continue;
    const toRelated = relatedBy(work, relationship, template);
    if (toRelated === undefined) continue;
    const neighbours = await work.draft.neighbours(template.id, modelled.name);
    if (neighbours.length > 0) peers[modelled.name] = neighbours.map(toRelated);
  }
  return peers;
}

/** How the template's peer becomes one of the object's: parts are made anew, others are shared. */
function relatedBy(
  work: NodeWork,
  {kind}: RelationshipSchema,
  template: NodeRecord,
): ((peer: {readonly id: string; readonly kind: string}) => RelatedInput) | undefined {
  if (kind === 'Attribute' || kind === 'Generic') return ({id}) => ({id, source: template.id});
  if (kind !== 'Component') return undefined;
  return part => {
    const model = work.schema.templates.get(part.kind);
    const data = {attributes: {}, relationships: {object_template: {id: part.id}}};
    return {data, source: template.id, ...(model === undefined ? {} : {kind: model.templatedKind})};
  };
}
