import {labelOf} from '../labels.ts';
import type {AttributeSchema} from '../schema.ts';
import {
  type GenericDefinition,
  type KindDefinition,
  kindName,
  type NodeDefinition,
  type RelationshipDefinition,
  type SchemaSource,
} from '../source.ts';
import type {BranchSupport} from '../vocabulary.ts';
import type {GenericDraft, NodeDraft, Workspace} from './draft.ts';
import {processAttribute, processRelationship, relationshipBranch} from './process-field.ts';

/** Every declared kind with its own fields; what comes from elsewhere is added by the later steps. */
export function startKinds(source: SchemaSource): Workspace {
  const nodes = new Map<string, NodeDraft>();
  const generics = new Map<string, GenericDraft>();
  for (const [name, definition] of source.kinds) {
    if (definition.type === 'node') nodes.set(name, startNode(source, definition));
    else generics.set(name, startGeneric(source, definition));
  }
  return {nodes, generics, profiles: new Map(), templates: new Map()};
}

function startNode(source: SchemaSource, definition: NodeDefinition): NodeDraft {
  return {
    ...startCommon(source, definition),
    type: 'node',
    inherit_from: definition.inherit_from,
    hierarchy: definition.hierarchy,
    parent: definition.parent,
    children: definition.children,
    late: new Map(Object.entries(definition.late)),
  };
}

function startGeneric(source: SchemaSource, definition: GenericDefinition): GenericDraft {
  return {
    ...startCommon(source, definition),
    type: 'generic',
    hierarchical: definition.hierarchical,
    used_by: [],
    restricted_namespaces: definition.restricted_namespaces,
  };
}

function startCommon(source: SchemaSource, definition: KindDefinition) {
  const kind = kindName(definition);
  return {
    id: definition.id,
    kind,
    name: definition.name,
    namespace: definition.namespace,
    hash: '',
    label: definition.label ?? labelOf(definition.name),
    description: definition.description,
    branch: definition.branch,
    human_friendly_id: definition.human_friendly_id,
    display_label: definition.display_label,
    display_labels: definition.display_labels,
    default_filter: definition.default_filter,
    order_by: definition.order_by,
    uniqueness_constraints: definition.uniqueness_constraints,
    include_in_menu: definition.include_in_menu,
    menu_placement: definition.menu_placement,
    icon: definition.icon,
    documentation: definition.documentation,
    generate_profile: definition.generate_profile,
    generate_template: definition.generate_template,
    attributes: processAttributes(definition, definition.branch),
    relationships: definition.relationships.map(each =>
      processRelationship(each, kind, branchOf(source, each, definition.branch)),
    ),
    fields: new Map(),
    uniqueness: [],
  };
}

/** The kind's own attributes as they are on the kind, or on an heir with another branch support. */
export function processAttributes(definition: KindDefinition, branch: BranchSupport): AttributeSchema[] {
  const kind = kindName(definition);
  const alone = new Set(
    definition.uniqueness_constraints?.flatMap(paths => (paths.length === 1 ? paths : [])),
  );
  return definition.attributes.map(each => {
    const attribute = processAttribute(each, kind, branch);
    return alone.has(`${each.name}__value`) ? {...attribute, unique: true} : attribute;
  });
}

export function branchOf(
  source: SchemaSource,
  relationship: RelationshipDefinition,
  kindBranch: BranchSupport,
): BranchSupport {
  return relationship.branch ?? relationshipBranch(kindBranch, source.kinds.get(relationship.peer)?.branch);
}
