import {derivedId} from '../ids.ts';
import {labelOf} from '../labels.ts';
import type {AttributeSchema, RelationshipSchema} from '../schema.ts';
import {TEMPLATE_IDENTIFIER} from '../vocabulary.ts';
import {derivedRelationship} from './derived-relationship.ts';
import {
  draftOf,
  type GenericDraft,
  hasField,
  type NodeDraft,
  type TemplateDraft,
  type Workspace,
} from './draft.ts';
import {kindsWithTemplates} from './kinds-with-templates.ts';

export const templateKind = (kind: string): string => `Template${kind}`;

/** An object template for each kind that wants one, and for the parts and owners that come with it. */
export function addTemplates(workspace: Workspace): void {
  if (!workspace.generics.has('CoreObjectTemplate')) return;
  const wanted = kindsWithTemplates(workspace);
  for (const kind of wanted) {
    const draft = draftOf(workspace, kind);
    if (draft === undefined) continue;
    if (draft.type === 'generic')
      workspace.generics.set(templateKind(kind), genericTemplate(draft, workspace));
    else workspace.templates.set(templateKind(kind), nodeTemplate(draft, workspace, wanted));
  }
  for (const kind of wanted) {
    const node = workspace.nodes.get(kind);
    if (node === undefined || hasField(node, 'object_template')) continue;
    node.relationships.push(
      derivedRelationship(node, {
        name: 'object_template',
        label: 'Object Template',
        peer: templateKind(kind),
        kind: 'Template',
        identifier: TEMPLATE_IDENTIFIER,
        cardinality: 'one',
        branch: node.branch === 'local' ? 'local' : 'aware',
        order_weight: 93_000,
        description: 'The template that this object was made from',
      }),
    );
  }
}

function nodeTemplate(node: NodeDraft, workspace: Workspace, wanted: ReadonlySet<string>): TemplateDraft {
  const base = node.generate_template ? 'CoreObjectTemplate' : 'CoreObjectComponentTemplate';
  const template: TemplateDraft = {
    ...templateCommon(node),
    type: 'template',
    templatedKind: node.kind,
    label: `Object template ${node.label}`,
    description: `Object template for ${node.kind}`,
    inherit_from: [
      'LineageSource',
      'CoreNode',
      base,
      ...node.inherit_from.filter(generic => wanted.has(generic)).map(templateKind),
    ],
  };
  fill(template, node, workspace.generics.get(base));
  template.relationships.push(
    derivedRelationship(template, {
      name: 'related_nodes',
      label: 'Related Nodes',
      peer: node.kind,
      kind: 'Template',
      identifier: TEMPLATE_IDENTIFIER,
      cardinality: 'many',
      branch: node.branch === 'local' ? 'local' : 'aware',
      order_weight: 96_000,
      description: 'The objects made from this template',
    }),
  );
  const parent = template.relationships.find(each => each.kind === 'Parent');
  if (parent !== undefined) {
    template.human_friendly_id = [`${parent.name}__template_name__value`, 'template_name__value'];
    template.uniqueness_constraints = [['template_name__value', parent.name]];
  }
  return template;
}

function genericTemplate(generic: GenericDraft, workspace: Workspace): GenericDraft {
  const template: GenericDraft = {
    ...templateCommon(generic),
    type: 'generic',
    label: `Generic object template ${generic.label}`,
    description: `Generic object template for ${generic.kind}`,
    hierarchical: false,
    generate_profile: false,
    generate_template: false,
    used_by: [],
    restricted_namespaces: null,
    human_friendly_id: null,
    uniqueness_constraints: null,
  };
  fill(template, generic, workspace.generics.get('CoreObjectComponentTemplate'));
  return template;
}

function templateCommon(draft: NodeDraft | GenericDraft) {
  return {
    id: derivedId(draft.id, 'template'),
    kind: templateKind(draft.kind),
    name: draft.kind,
    namespace: 'Template',
    hash: '',
    branch: draft.branch,
    human_friendly_id: ['template_name__value'],
    display_label: null,
    display_labels: ['template_name__value'],
    default_filter: 'template_name__value',
    order_by: ['template_name__value'],
    uniqueness_constraints: [['template_name__value']],
    include_in_menu: false,
    menu_placement: null,
    icon: draft.icon,
    documentation: null,
    attributes: [],
    relationships: [],
    fields: new Map(),
    uniqueness: [],
  };
}

/** The kind's attributes and relationships, as a model may set them. */
function fill(
  template: TemplateDraft | GenericDraft,
  draft: NodeDraft | GenericDraft,
  base: GenericDraft | undefined,
): void {
  const keepsOptional = !draft.generate_template;
  for (const attribute of base?.attributes ?? []) {
    template.attributes.push({...attribute, branch: draft.branch, inherited: template.type === 'template'});
  }
  for (const attribute of draft.attributes) {
    if (attribute.read_only || attribute.unique || isTaken(template, attribute.name)) continue;
    template.attributes.push(modelled(attribute, template.kind, keepsOptional));
  }
  for (const relationship of draft.relationships) {
    if (!MODELLED_KINDS.has(relationship.kind) || isTaken(template, relationship.name)) continue;
    template.relationships.push(modelledRelationship(relationship, template, keepsOptional));
  }
}

const MODELLED_KINDS: ReadonlySet<string> = new Set(['Component', 'Parent', 'Attribute', 'Generic']);

const isTaken = (template: TemplateDraft | GenericDraft, name: string): boolean =>
  name === 'related_nodes' || hasField(template, name);

/** Without the default: what a model leaves unset falls back to the default of the object made from it. */
function modelled(attribute: AttributeSchema, declaredBy: string, keepsOptional: boolean): AttributeSchema {
  return {
    ...attribute,
    optional: keepsOptional ? attribute.optional : true,
    default_value: null,
    inherited: false,
    declaredBy,
  };
}

function modelledRelationship(
  relationship: RelationshipSchema,
  template: TemplateDraft | GenericDraft,
  keepsOptional: boolean,
): RelationshipSchema {
  const isTree = relationship.kind === 'Component' || relationship.kind === 'Parent';
  const optional = keepsOptional ? relationship.optional : relationship.kind !== 'Parent';
  const isOne = relationship.cardinality === 'one';
  return {
    ...relationship,
    id: derivedId(template.id, relationship.id),
    label: isTree ? `${labelOf(relationship.name)} Template` : labelOf(relationship.name),
    peer: isTree ? templateKind(relationship.peer) : relationship.peer,
    identifier: `template_${relationship.identifier}`,
    optional,
    min_count: isOne ? (optional ? 0 : 1) : optional ? 0 : relationship.min_count,
    common_parent: null,
    common_relatives: null,
    inherited: false,
    declaredBy: template.kind,
  };
}
