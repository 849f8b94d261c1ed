import type {Json} from '../../base/json.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {Conflict} from '../merge/conflict.ts';
import type {PropertyType} from '../merge/conflict-path.ts';
import type {Instant} from '../time/instant.ts';

export type DiffStatus = 'added' | 'updated' | 'removed' | 'unchanged';

/** One object of a diff, with everything that changed in it. */
export interface DiffNode {
  readonly id: string;
  readonly kind: string;
  /** Known already for what is no object, such as a kind; else to be looked up. */
  readonly label: string | undefined;
  readonly status: DiffStatus;
  readonly path: string;
  readonly changedAt: Instant | undefined;
  readonly conflict: Conflict | undefined;
  readonly attributes: readonly DiffAttribute[];
  readonly relationships: readonly DiffRelationship[];
}

export interface DiffAttribute {
  readonly name: string;
  readonly status: DiffStatus;
  readonly path: string;
  readonly changedAt: Instant;
  readonly conflict: Conflict | undefined;
  readonly properties: readonly DiffProperty[];
}

export interface DiffRelationship {
  readonly name: string;
  readonly label: string | null;
  readonly cardinality: 'one' | 'many';
  readonly status: DiffStatus;
  readonly path: string;
  readonly changedAt: Instant;
  readonly elements: readonly DiffElement[];
}

export interface DiffElement {
  readonly peer: NodeId;
  readonly status: DiffStatus;
  readonly path: string;
  readonly changedAt: Instant;
  readonly conflict: Conflict | undefined;
  readonly properties: readonly DiffProperty[];
}

export interface DiffProperty {
  readonly type: PropertyType;
  readonly status: DiffStatus;
  readonly path: string;
  readonly changedAt: Instant;
  readonly before: Json;
  readonly after: Json;
  readonly conflict: Conflict | undefined;
}

/** How many of the things below changed in which way. */
export interface DiffCounts {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly conflicts: number;
}

interface Counted {
  readonly status: DiffStatus;
}

export function countsOf(items: readonly Counted[], conflicts: number): DiffCounts {
  const of = (status: DiffStatus) => items.filter(item => item.status === status).length;
  return {added: of('added'), updated: of('updated'), removed: of('removed'), conflicts};
}

export const conflictsInAttribute = ({conflict, properties}: DiffAttribute | DiffElement): number =>
  properties.filter(property => property.conflict !== undefined).length + (conflict === undefined ? 0 : 1);

export const conflictsInRelationship = ({elements}: DiffRelationship): number =>
  elements.reduce((sum, element) => sum + conflictsInAttribute(element), 0);

export const conflictsInNode = ({conflict, attributes, relationships}: DiffNode): number =>
  (conflict === undefined ? 0 : 1) +
  attributes.reduce((sum, attribute) => sum + conflictsInAttribute(attribute), 0) +
  relationships.reduce((sum, relationship) => sum + conflictsInRelationship(relationship), 0);
