import {conflictName} from '../../../app/branch/conflict-name.ts';
import type {BranchDiff} from '../../../app/branch/diff-branch.ts';
import {isJsonObject, type Json} from '../../../base/json.ts';
import type {Branch} from '../../../domain/branch/branch.ts';
import type {
  DiffAttribute,
  DiffCounts,
  DiffElement,
  DiffNode,
  DiffProperty,
  DiffRelationship,
} from '../../../domain/diff/diff-node.ts';
import {
  conflictsInAttribute,
  conflictsInNode,
  conflictsInRelationship,
  countsOf,
} from '../../../domain/diff/diff-node.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {Conflict} from '../../../domain/merge/conflict.ts';
import {attributeOf, kindOf} from '../../../domain/schema/lookup.ts';
import type {Schema} from '../../../domain/schema/schema.ts';
import {formatInstant, type Instant} from '../../../domain/time/instant.ts';
import type {DiffParent} from './diff-parents.ts';

/** What a diff is shown with: the names of things, and who changed them. */
export interface DiffWords {
  readonly branch: Branch;
  readonly schema: Schema;
  readonly labels: ReadonlyMap<string, string>;
  readonly authors: ReadonlyMap<Instant, NodeId | null>;
  readonly parents: ReadonlyMap<string, DiffParent>;
}

const numbers = ({added, updated, removed, conflicts}: DiffCounts) => ({
  num_added: added,
  num_updated: updated,
  num_removed: removed,
  num_conflicts: conflicts,
});

export function headerFace(diff: BranchDiff, nodes: readonly DiffNode[]) {
  const conflicts = nodes.reduce((sum, node) => sum + conflictsInNode(node), 0);
  return {
    base_branch: diff.base,
    diff_branch: diff.branch.name,
    from_time: formatInstant(diff.from),
    to_time: formatInstant(diff.to),
    num_untracked_base_changes: 0,
    num_untracked_diff_changes: 0,
    ...numbers(countsOf(nodes, conflicts)),
  };
}

export function nodeFace(node: DiffNode, words: DiffWords): object {
  const parent = words.parents.get(node.id);
  const conflicts = conflictsInNode(node);
  return {
    uuid: node.id,
    kind: node.kind,
    label: node.label ?? words.labels.get(node.id) ?? node.id,
    status: node.status,
    path_identifier: node.path,
    last_changed_at: node.changedAt === undefined ? null : formatInstant(node.changedAt),
    last_changed_by: node.changedAt === undefined ? null : (words.authors.get(node.changedAt) ?? null),
    contains_conflict: conflicts > 0,
    conflict: conflictFace(node.conflict, words),
    parent:
      parent === undefined
        ? null
        : {uuid: parent.id, kind: parent.kind, relationship_name: parent.relationship},
    attributes: node.attributes.map(attribute => attributeFace(node.kind, attribute, words)),
    relationships: node.relationships.map(relationship => relationshipFace(relationship, words)),
    ...numbers(countsOf([...node.attributes, ...node.relationships], conflicts)),
  };
}

function attributeFace(kind: string, attribute: DiffAttribute, words: DiffWords): object {
  const conflicts = conflictsInAttribute(attribute);
  const choices = choiceLabels(words.schema, kind, attribute.name);
  return {
    name: attribute.name,
    status: attribute.status,
    path_identifier: attribute.path,
    last_changed_at: formatInstant(attribute.changedAt),
    last_changed_by: words.authors.get(attribute.changedAt) ?? null,
    contains_conflict: conflicts > 0,
    conflict: conflictFace(attribute.conflict, words, choices),
    properties: attribute.properties.map(property => propertyFace(property, words, choices)),
    ...numbers(countsOf(attribute.properties, conflicts)),
  };
}

function relationshipFace(relationship: DiffRelationship, words: DiffWords): object {
  const conflicts = conflictsInRelationship(relationship);
  return {
    name: relationship.name,
    label: relationship.label,
    cardinality: relationship.cardinality,
    status: relationship.status,
    path_identifier: relationship.path,
    last_changed_at: formatInstant(relationship.changedAt),
    contains_conflict: conflicts > 0,
    elements: relationship.elements.map(element => elementFace(element, words)),
    ...numbers(countsOf(relationship.elements, conflicts)),
  };
}

function elementFace(element: DiffElement, words: DiffWords): object {
  const conflicts = conflictsInAttribute(element);
  return {
    peer_id: element.peer,
    peer_label: words.labels.get(element.peer) ?? null,
    status: element.status,
    path_identifier: element.path,
    last_changed_at: formatInstant(element.changedAt),
    contains_conflict: conflicts > 0,
    conflict: conflictFace(element.conflict, words),
    properties: element.properties.map(property => propertyFace(property, words)),
    ...numbers(countsOf(element.properties, conflicts)),
  };
}

function propertyFace(property: DiffProperty, words: DiffWords, choices = NO_LABELS): object {
  const isObject =
    property.type === 'IS_RELATED' || property.type === 'HAS_SOURCE' || property.type === 'HAS_OWNER';
  const labels = isObject ? words.labels : property.type === 'HAS_VALUE' ? choices : NO_LABELS;
  return {
    property_type: property.type,
    last_changed_at: formatInstant(property.changedAt),
    previous_value: valueText(property.before),
    new_value: valueText(property.after),
    previous_label: labelIn(labels, property.before),
    new_label: labelIn(labels, property.after),
    status: property.status,
    path_identifier: property.path,
    conflict: conflictFace(property.conflict, words),
  };
}

function conflictFace(conflict: Conflict | undefined, words: DiffWords, choices = NO_LABELS): object | null {
  if (conflict === undefined) return null;
  const {branch, origin} = conflict;
  const label = (value: Json) => labelIn(choices, value) ?? labelIn(words.labels, value);
  return {
    uuid: conflictName(words.branch, conflict),
    base_branch_action: origin.action,
    base_branch_value: valueText(origin.value),
    base_branch_changed_at: formatInstant(origin.changedAt),
    base_branch_label: label(origin.value),
    diff_branch_action: branch.action,
    diff_branch_value: valueText(branch.value),
    diff_branch_changed_at: formatInstant(branch.changedAt),
    diff_branch_label: label(branch.value),
    selected_branch: conflict.choice ?? null,
    resolvable: true,
  };
}

const NO_LABELS: ReadonlyMap<string, string> = new Map();

const labelIn = (labels: ReadonlyMap<string, string>, value: Json): string | null =>
  typeof value === 'string' ? (labels.get(value) ?? null) : null;

/** Texts stand as they are, everything else as JSON. */
const valueText = (value: Json): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);

function choiceLabels(schema: Schema, kindName: string, name: string): ReadonlyMap<string, string> {
  const kind = kindOf(schema, kindName);
  const choices = kind === undefined ? undefined : attributeOf(kind, name)?.choices;
  const labelled = (choices ?? []).filter(choice => isJsonObject(choice));
  return new Map(labelled.map(choice => [String(choice.name), String(choice.label ?? choice.name)]));
}

/** Every object that the nodes name beside themselves. */
export function namedIn(nodes: readonly DiffNode[]): ReadonlySet<string> {
  const ids = new Set<string>();
  const value = (json: Json) => void (typeof json === 'string' && ids.add(json));
  const conflict = (each: Conflict | undefined) => {
    if (each?.subject.is !== 'peer' && each?.subject.is !== 'unique') return;
    value(each.branch.value);
    value(each.origin.value);
  };
  const properties = (list: readonly DiffProperty[]) => {
    for (const {type, before, after} of list) {
      if (type !== 'HAS_SOURCE' && type !== 'HAS_OWNER' && type !== 'IS_RELATED') continue;
      value(before);
      value(after);
    }
  };
  for (const node of nodes) {
    if (node.label === undefined) ids.add(node.id);
    for (const attribute of node.attributes) {
      properties(attribute.properties);
      conflict(attribute.conflict);
    }
    for (const element of node.relationships.flatMap(relationship => relationship.elements)) {
      ids.add(element.peer);
      properties(element.properties);
      conflict(element.conflict);
    }
  }
  return ids;
}
