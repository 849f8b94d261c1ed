import type {Json} from '../../base/json.ts';
import {sameJson} from '../../base/json.ts';
import type {AttributeState, EdgeProperties} from '../graph/node.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {AttributeProperty, Conflict} from '../merge/conflict.ts';
import {PROPERTY_TYPES, type PropertyType, propertyPath} from '../merge/conflict-path.ts';
import type {Instant} from '../time/instant.ts';
import type {AttributeChange, EdgeChange, NodeChange} from './change.ts';
import type {
  DiffAttribute,
  DiffElement,
  DiffNode,
  DiffProperty,
  DiffRelationship,
  DiffStatus,
} from './diff-node.ts';

/** What is shown of a relationship beside its changes. */
export interface RelationshipFace {
  readonly label: string | null;
  readonly cardinality: 'one' | 'many';
}

export type RelationshipFaceOf = (kind: string, name: string) => RelationshipFace | undefined;

/** The changes in the form that people read, each conflict at the thing it is about. */
export function diffNodes(
  changes: readonly NodeChange[],
  conflicts: readonly Conflict[],
  faceOf: RelationshipFaceOf,
): readonly DiffNode[] {
  const byNode = new Map<string, Conflict[]>();
  for (const conflict of conflicts) {
    if (conflict.subject.is === 'schema') continue;
    const list = byNode.get(conflict.subject.node);
    if (list === undefined) byNode.set(conflict.subject.node, [conflict]);
    else list.push(conflict);
  }
  const nodes = changes.map(change => {
    const own = byNode.get(change.id) ?? [];
    byNode.delete(change.id);
    return nodeOf(change, own, faceOf);
  });
  for (const [id, [conflict]] of byNode) nodes.push(bystander(id, conflict!));
  return nodes.sort((a, b) => (a.kind === b.kind ? compare(a.id, b.id) : compare(a.kind, b.kind)));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function nodeOf(change: NodeChange, conflicts: readonly Conflict[], faceOf: RelationshipFaceOf): DiffNode {
  const left = new Set(conflicts);
  const path = `data/${change.id}`;
  const attributes = change.attributes.map(each => attributeOf(path, each, change.changedAt, left));
  const names = [...new Set(change.edges.map(edge => edge.relationship))];
  const relationships = names.map(name =>
    relationshipOf(path, name, faceOf(change.kind, name), change, left),
  );
  return {
    id: change.id,
    kind: change.kind,
    label: undefined,
    status: change.action,
    path,
    changedAt: change.changedAt,
    conflict: [...left][0],
    attributes,
    relationships,
  };
}

/** An object in conflict that the branch itself did not change. */
const bystander = (id: string, conflict: Conflict): DiffNode => ({
  id,
  kind: conflict.subject.is === 'schema' ? '' : conflict.subject.kind,
  label: undefined,
  status: 'unchanged',
  path: `data/${id}`,
  changedAt: conflict.branch.changedAt,
  conflict,
  attributes: [],
  relationships: [],
});

/** Takes the conflict that the test finds; what nobody takes belongs to the object. */
function take(left: Set<Conflict>, isIt: (conflict: Conflict) => boolean): Conflict | undefined {
  for (const conflict of left) {
    if (!isIt(conflict)) continue;
    left.delete(conflict);
    return conflict;
  }
  return undefined;
}

const statusOf = (before: unknown, after: unknown): 'added' | 'updated' | 'removed' =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'updated';

function attributeOf(
  nodePath: string,
  {name, before, after}: AttributeChange,
  nodeChangedAt: Instant,
  left: Set<Conflict>,
): DiffAttribute {
  const path = `${nodePath}/${name}`;
  const changedAt = after?.updatedAt ?? nodeChangedAt;
  const conflictOf = (property: AttributeProperty) =>
    take(
      left,
      ({subject}) =>
        (subject.is === 'attribute' && subject.attribute === name && subject.property === property) ||
        (subject.is === 'unique' && property === 'value' && subject.fields[0] === name),
    );
  const conflict = conflictOf('value');
  return {
    name,
    status: statusOf(before, after),
    path,
    changedAt,
    conflict,
    properties: propertiesOf(path, before, after, ATTRIBUTE, changedAt, property =>
      property === 'value' ? undefined : conflictOf(property),
    ),
  };
}

const LINEAGE = ['isProtected', 'isVisible', 'source', 'owner'] as const;
const ATTRIBUTE = ['value', ...LINEAGE] as const;

function propertiesOf(
  path: string,
  before: AttributeState | EdgeProperties | undefined,
  after: AttributeState | EdgeProperties | undefined,
  names: readonly AttributeProperty[],
  changedAt: Instant,
  conflictOf: (property: AttributeProperty) => Conflict | undefined,
): readonly DiffProperty[] {
  const status = statusOf(before, after);
  const properties: DiffProperty[] = [];
  for (const name of names) {
    const a = stateValue(before, name);
    const b = stateValue(after, name);
    const isTold = status === 'updated' ? !sameJson(a, b) : (a ?? b) !== null || name === 'value';
    if (!isTold) continue;
    properties.push(property(path, PROPERTY_TYPES[name], status, changedAt, a, b, conflictOf(name)));
  }
  return properties;
}

const stateValue = (state: AttributeState | EdgeProperties | undefined, name: AttributeProperty): Json =>
  (state as AttributeState | undefined)?.[name] ?? null;

const property = (
  path: string,
  type: PropertyType,
  status: DiffStatus,
  changedAt: Instant,
  before: Json,
  after: Json,
  conflict?: Conflict,
): DiffProperty => ({
  type,
  status,
  path: propertyPath(path, type),
  changedAt,
  before,
  after,
  conflict,
});

function relationshipOf(
  nodePath: string,
  name: string,
  face: RelationshipFace | undefined,
  {edges, changedAt}: NodeChange,
  left: Set<Conflict>,
): DiffRelationship {
  const path = `${nodePath}/${name}`;
  const own = edges.filter(edge => edge.relationship === name);
  const cardinality = face?.cardinality ?? 'many';
  const elements =
    cardinality === 'one'
      ? [movedElement(path, name, own, changedAt, left)]
      : own.map(edge => elementOf(path, name, edge, changedAt, left));
  const statuses = new Set(elements.map(element => element.status));
  return {
    name,
    label: face?.label ?? null,
    cardinality,
    status: statuses.size === 1 ? elements[0]!.status : 'updated',
    path,
    changedAt,
    elements,
  };
}

/** A to-one relationship is one element, whether its peer came, went or was replaced. */
function movedElement(
  relationshipPath: string,
  name: string,
  edges: readonly EdgeChange[],
  changedAt: Instant,
  left: Set<Conflict>,
): DiffElement {
  const came = edges.find(edge => edge.after !== undefined);
  const went = edges.find(edge => edge.before !== undefined && edge.after === undefined);
  if (came === undefined || went === undefined) {
    return elementOf(relationshipPath, name, edges[0]!, changedAt, left);
  }
  const element = elementOf(relationshipPath, name, came, changedAt, left);
  const moved = property(element.path, 'IS_RELATED', 'updated', changedAt, went.peer, came.peer);
  const rest = propertiesOf(element.path, went.before, came.after, LINEAGE, changedAt, () => undefined);
  return {...element, status: 'updated', properties: [moved, ...rest]};
}

function elementOf(
  relationshipPath: string,
  name: string,
  {peer, before, after}: EdgeChange,
  changedAt: Instant,
  left: Set<Conflict>,
): DiffElement {
  const path = `${relationshipPath}/${peer}`;
  const conflict = take(
    left,
    ({subject}) =>
      (subject.is === 'peer' && subject.relationship === name) ||
      (subject.is === 'edge' && subject.relationship === name && subject.peer === peer) ||
      (subject.is === 'unique' && subject.fields[0] === name),
  );
  const id = (is: boolean): NodeId | null => (is ? peer : null);
  const status = statusOf(before, after);
  const related = property(
    path,
    'IS_RELATED',
    status,
    changedAt,
    id(before !== undefined),
    id(after !== undefined),
  );
  const rest = propertiesOf(path, before, after, LINEAGE, changedAt, () => undefined);
  return {
    peer,
    status,
    path,
    changedAt,
    conflict,
    properties: status === 'updated' ? rest : [related, ...rest],
  };
}
