import type {RelationshipSchema} from '../schema.ts';
import {type BranchSupport, HIERARCHY_IDENTIFIER} from '../vocabulary.ts';
import {derivedRelationship} from './derived-relationship.ts';
import {
  draftOf,
  type GenericDraft,
  hasField,
  type KindDraft,
  type NodeDraft,
  type Workspace,
} from './draft.ts';
import {relationshipBranch} from './process-field.ts';

/** Places nodes in the hierarchy of their generic and adds the relationships that lead up and down. */
export function addHierarchies(workspace: Workspace): void {
  for (const node of workspace.nodes.values()) placeNode(workspace, node);
  for (const generic of workspace.generics.values()) {
    if (generic.hierarchical) addRelationships(workspace, generic, generic.kind, generic.kind, generic.kind);
  }
  for (const node of workspace.nodes.values()) {
    if (node.hierarchy !== null) {
      addRelationships(workspace, node, node.hierarchy, node.parent ?? '', node.children ?? '');
    }
  }
}

function placeNode(workspace: Workspace, node: NodeDraft): void {
  const generic = node.inherit_from.find(name => workspace.generics.get(name)?.hierarchical === true);
  node.hierarchy = generic ?? node.hierarchy;
  if (node.hierarchy === null) return;
  node.parent = node.parent ?? node.hierarchy;
  node.children = node.children ?? node.hierarchy;
}

function addRelationships(
  workspace: Workspace,
  draft: NodeDraft | GenericDraft,
  hierarchical: string,
  parent: string,
  children: string,
): void {
  const branch = (peer: string) => relationshipBranch(draft.branch, draftOf(workspace, peer)?.branch);
  if (parent !== '') addUnlessThere(draft, upward(draft, hierarchical, parent, branch(parent)));
  if (children !== '') addUnlessThere(draft, downward(draft, hierarchical, children, branch(children)));
}

function addUnlessThere(draft: NodeDraft | GenericDraft, relationship: RelationshipSchema): void {
  if (!hasField(draft, relationship.name)) draft.relationships.push(relationship);
}

function upward(
  draft: KindDraft,
  hierarchical: string,
  peer: string,
  branch: BranchSupport,
): RelationshipSchema {
  return derivedRelationship(draft, {
    name: 'parent',
    label: 'Parent',
    peer,
    kind: 'Hierarchy',
    identifier: HIERARCHY_IDENTIFIER,
    cardinality: 'one',
    direction: 'outbound',
    branch,
    hierarchical,
    order_weight: 90_000,
    description: 'The object above in the hierarchy',
  });
}

function downward(
  draft: KindDraft,
  hierarchical: string,
  peer: string,
  branch: BranchSupport,
): RelationshipSchema {
  return derivedRelationship(draft, {
    name: 'children',
    label: 'Children',
    peer,
    kind: 'Hierarchy',
    identifier: HIERARCHY_IDENTIFIER,
    cardinality: 'many',
    direction: 'inbound',
    branch,
    hierarchical,
    order_weight: 91_000,
    description: 'The objects below in the hierarchy',
  });
}
