import type {AttributeWrite, EdgeEnd, EdgeProperties, NodeRecord} from '../../../domain/graph/node.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {Condition} from '../../../domain/query/node-query.ts';
import type {Found} from '../../../ports/graph-store.ts';
import type {KindPair, Look} from './look.ts';
import {type Constraint, OBJECTS_NAMED_MAX, Violations} from './violations.ts';

type Visit = (found: Found) => void;

/**
 * What a change of schema finds among the objects of a branch: those in the way, and what must be rewritten for
 * the others. Reading comes first and writing after, so that everything is read under one schema.
 */
export class Survey {
  readonly look: Look;
  /** Objects of agnostic kinds live on every branch, where other branches still read them under their own schema. */
  readonly onDefaultBranch: boolean;
  readonly violations: Violations;
  /** Values to give up before the schema changes: their keys in indexes are written another way afterwards. */
  readonly releases: {readonly id: NodeId; readonly attribute: string}[] = [];
  readonly writes: {readonly id: NodeId; readonly attribute: string; readonly write: AttributeWrite}[] = [];
  readonly #unlinks = new Map<string, EdgeEnd>();
  readonly #links = new Map<string, {readonly end: EdgeEnd; readonly properties: EdgeProperties}>();
  readonly #visits = new Map<string, Visit[]>();

  constructor(look: Look, onDefaultBranch: boolean) {
    this.look = look;
    this.onDefaultBranch = onDefaultBranch;
    this.violations = new Violations(look.before);
  }

  get unlinks(): Iterable<EdgeEnd> {
    return this.#unlinks.values();
  }

  get links(): Iterable<{readonly end: EdgeEnd; readonly properties: EdgeProperties}> {
    return this.#links.values();
  }

  /** Edges to end before the schema changes, by the names that they have now. */
  unlink(end: EdgeEnd): void {
    this.#unlinks.set(keyOf(end), end);
  }

  /** Edges to make after the schema has changed, by the names that they have then. */
  link(end: EdgeEnd, properties: EdgeProperties): void {
    this.#links.set(keyOf(end), {end, properties});
  }

  refuse(constraint: Constraint, node: NodeRecord): void {
    this.violations.add(constraint, node);
  }

  /** Every object of the kind that meets the condition is in the way. */
  async refuseWhere(kind: string, where: Condition | undefined, constraint: Constraint): Promise<void> {
    if (!(await this.look.isInhabited(kind))) return;
    const {found, count} = await this.look.some(kind, where, OBJECTS_NAMED_MAX);
    this.violations.addSome(
      constraint,
      found.map(({node}) => node),
      count,
    );
  }

  /** Notes what to do with each object of a kind, so that all who want to see them share one pass. */
  visit({before}: KindPair, visit: Visit): void {
    const visits = this.#visits.get(before.kind) ?? [];
    visits.push(visit);
    this.#visits.set(before.kind, visits);
  }

  async visitAll(): Promise<void> {
    for (const [kind, visits] of this.#visits) {
      for await (const found of this.look.objects(kind)) {
        for (const visit of visits) visit(found);
      }
    }
    this.#visits.clear();
  }
}

const keyOf = ({node, relationship, peer}: EdgeEnd): string => `${node} ${relationship} ${peer}`;
