import type {EdgeChange, NodeChange} from '../diff/change.ts';
import type {AttributeWrite, EdgeEnd, EdgeProperties} from '../graph/node.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {Choices, Conflict, Side} from './conflict.ts';
import {makeConflict} from './conflict.ts';
import type {MergePlan, MergeRules, MergeWrite} from './merge-plan.ts';
import {edgeName} from './merge-plan.ts';
import {weighAttribute, wholeWrite} from './weigh-attributes.ts';
import {weighRelationship} from './weigh-edges.ts';

export interface MergeMatter {
  /** What the branch did since its fork. */
  readonly branch: readonly NodeChange[];
  /** What the origin did meanwhile to the same objects. */
  readonly origin: readonly NodeChange[];
  readonly rules: MergeRules;
  readonly choices: Choices;
  /** Objects of the branch that are left out of the result. */
  readonly without: ReadonlySet<NodeId>;
}

interface EdgeDecision {
  readonly end: EdgeEnd;
  readonly side: Side;
  readonly properties: EdgeProperties | undefined;
  /** A decision about where a to-one peer points outweighs what the other end merely saw. */
  readonly weight: number;
}

/**
 * Weighs both sides, and tells what to write so that `target` becomes the result: the origin for a merge, the
 * branch for a rebase. Only what the branch touched is looked at.
 */
export function planMerge(matter: MergeMatter, target: Side): MergePlan {
  return new Weighing(matter, target).plan();
}

class Weighing {
  readonly #matter: MergeMatter;
  readonly #target: Side;
  readonly #origin: ReadonlyMap<NodeId, NodeChange>;
  readonly #branch: ReadonlyMap<NodeId, NodeChange>;
  readonly #conflicts: Conflict[] = [];
  readonly #edges = new Map<string, EdgeDecision>();
  readonly #writes: MergeWrite[] = [];
  readonly #gone = new Set<NodeId>();

  constructor(matter: MergeMatter, target: Side) {
    this.#matter = matter;
    this.#target = target;
    this.#branch = new Map(matter.branch.map(change => [change.id, change]));
    this.#origin = new Map(matter.origin.map(change => [change.id, change]));
  }

  plan(): MergePlan {
    for (const change of this.#matter.branch) {
      if (this.#matter.without.has(change.id)) this.#leaveOut(change);
      else this.#weighNode(change, this.#origin.get(change.id));
    }
    for (const change of this.#matter.origin) {
      if (!this.#branch.has(change.id)) this.#weighUntouched(change);
    }
    for (const {end, side, properties} of this.#edges.values()) {
      const isLost = this.#gone.has(end.node) || this.#gone.has(end.peer);
      if (side === this.#target || (isLost && properties !== undefined)) continue;
      this.#writes.push(properties === undefined ? {is: 'unlink', end} : {is: 'link', end, properties});
    }
    const rank = {create: 0, revive: 1, update: 2, unlink: 3, link: 4, delete: 5} as const;
    const writes = this.#writes.toSorted((a, b) => rank[a.is] - rank[b.is]);
    return {writes, conflicts: this.#conflicts};
  }

  /** The winner's word is written only where the target does not have it already. */
  #writesFrom(side: Side): boolean {
    return side !== this.#target;
  }

  #weighNode(branch: NodeChange, origin: NodeChange | undefined): void {
    if (branch.action === 'added' && origin?.action !== 'added') {
      if (this.#writesFrom('branch')) this.#create(branch);
      this.#weighEdges(branch, undefined);
      return;
    }
    if (origin === undefined) {
      if (branch.action === 'removed') this.#remove(branch, 'branch');
      else this.#weighFields(branch, undefined);
      return;
    }
    if (branch.action === 'removed' && origin.action === 'removed') return;
    if (branch.action === 'removed' || origin.action === 'removed') {
      this.#weighRemoval(branch, origin);
      return;
    }
    this.#weighFields(branch, origin);
  }

  /** One side ended the object, the other went on with it. */
  #weighRemoval(branch: NodeChange, origin: NodeChange): void {
    const subject = {is: 'node', node: branch.id, kind: branch.kind} as const;
    const conflict = makeConflict(
      subject,
      {action: branch.action, value: null, changedAt: branch.changedAt},
      {action: origin.action, value: null, changedAt: origin.changedAt},
      this.#matter.choices,
    );
    this.#conflicts.push(conflict);
    if (conflict.choice === undefined) return;
    const winner = conflict.choice === 'branch' ? branch : origin;
    if (winner.action === 'removed') this.#remove(winner, conflict.choice);
    else if (this.#writesFrom(conflict.choice)) this.#writes.push({is: 'revive', id: branch.id});
  }

  #remove(change: NodeChange, side: Side): void {
    this.#gone.add(change.id);
    if (this.#writesFrom(side)) this.#writes.push({is: 'delete', id: change.id});
  }

  #create(change: NodeChange): void {
    const attributes: Record<string, AttributeWrite> = {};
    for (const {name, after} of change.attributes)
      if (after !== undefined) attributes[name] = wholeWrite(after);
    this.#writes.push({is: 'create', id: change.id, kind: change.kind, attributes});
  }

  #weighFields(branch: NodeChange, origin: NodeChange | undefined): void {
    const names = new Set([...branch.attributes, ...(origin?.attributes ?? [])].map(change => change.name));
    const attributes: Record<string, AttributeWrite> = {};
    for (const name of names) {
      const ours = branch.attributes.find(change => change.name === name);
      const theirs = origin?.attributes.find(change => change.name === name);
      // What follows from other values is worked out again; where one side alone moved it, it is right already.
      const isDerived = this.#matter.rules.isDerived(branch.kind, name);
      if (isDerived && ours !== undefined && theirs !== undefined) continue;
      const weighed = weighAttribute(
        branch,
        ours,
        theirs,
        origin?.changedAt ?? branch.changedAt,
        this.#matter.choices,
      );
      this.#conflicts.push(...weighed.conflicts);
      const write = this.#target === 'origin' ? weighed.fromBranch : weighed.fromOrigin;
      if (Object.keys(write).length > 0) attributes[name] = write;
    }
    if (Object.keys(attributes).length > 0) this.#writes.push({is: 'update', id: branch.id, attributes});
    this.#weighEdges(branch, origin);
  }

  #weighEdges(branch: NodeChange, origin: NodeChange | undefined): void {
    const names = new Set([...branch.edges, ...(origin?.edges ?? [])].map(change => change.relationship));
    for (const relationship of names) {
      const rule = this.#matter.rules.relationship(branch.kind, relationship);
      if (rule === undefined) continue;
      const isOf = (change: EdgeChange) => change.relationship === relationship;
      const {edges, conflicts} = weighRelationship(
        branch,
        relationship,
        rule.cardinality === 'one',
        branch.edges.filter(isOf),
        (origin?.edges ?? []).filter(isOf),
        origin?.changedAt ?? branch.changedAt,
        this.#matter.choices,
      );
      this.#conflicts.push(...conflicts);
      const weight = conflicts.length > 0 ? 2 : 1;
      for (const {peer, side, properties} of edges) {
        if (side !== undefined) this.#decide(branch, relationship, peer, side, properties, weight);
      }
    }
  }

  #decide(
    node: NodeChange,
    relationship: string,
    peer: NodeId,
    side: Side,
    properties: EdgeProperties | undefined,
    weight: number,
  ): void {
    const rule = this.#matter.rules.relationship(node.kind, relationship)!;
    const name = edgeName(rule, node.id, peer);
    if ((this.#edges.get(name)?.weight ?? 0) >= weight) return;
    this.#edges.set(name, {end: {node: node.id, relationship, peer}, side, properties, weight});
    if (side === 'branch' && properties !== undefined) this.#refuseLostPeer(node, peer);
  }

  /** The branch linked an object that its origin ended: a change against a removal, though only the edge shows it. */
  #refuseLostPeer(node: NodeChange, peer: NodeId): void {
    const lost = this.#origin.get(peer);
    if (lost?.action !== 'removed' || this.#branch.has(peer)) return;
    const seen: NodeChange = {
      ...lost,
      action: 'updated',
      attributes: [],
      edges: [],
      changedAt: node.changedAt,
    };
    if (!this.#conflicts.some(({subject}) => subject.is === 'node' && subject.node === peer)) {
      this.#weighRemoval(seen, lost);
    }
  }

  /** Touched on the branch without a change in the end: what the origin did stands, but the branch's copy hides it. */
  #weighUntouched(origin: NodeChange): void {
    if (this.#target === 'origin') return;
    if (origin.action === 'removed') {
      this.#remove(origin, 'origin');
      return;
    }
    const attributes: Record<string, AttributeWrite> = {};
    for (const {name, after} of origin.attributes)
      if (after !== undefined) attributes[name] = wholeWrite(after);
    if (Object.keys(attributes).length > 0) this.#writes.push({is: 'update', id: origin.id, attributes});
    for (const {relationship, peer, after} of origin.edges) {
      if (this.#matter.rules.relationship(origin.kind, relationship) === undefined) continue;
      this.#decide(origin, relationship, peer, 'origin', after, 1);
    }
  }

  /** An object of the branch that is not to be in the result takes its edges with it. */
  #leaveOut(change: NodeChange): void {
    this.#gone.add(change.id);
    if (this.#target === 'branch' && change.action !== 'removed')
      this.#writes.push({is: 'delete', id: change.id});
  }
}
