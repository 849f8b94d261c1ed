import {sha1Hex} from '../../base/hash.ts';
import {canonicalJson} from '../../base/json.ts';
import type {EdgeChange, NodeChange} from '../diff/change.ts';
import type {AttributeWrite, EdgeEnd, EdgeProperties} from '../graph/node.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {Choices, Conflict, ConflictSide, Side} from './conflict.ts';
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
  readonly without: Losers;
}

/**
 * Objects whose claim to a unique value lost against another's, each with the fields that make up the value. One that
 * its side made is left out of the result; one that was there before gives the value up.
 */
export type Losers = ReadonlyMap<NodeId, readonly string[]>;

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
  const steps = planMergeSteps(matter, target);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same, for whoever does other things between the steps of a long one. */
export function planMergeSteps(matter: MergeMatter, target: Side): Generator<void, MergePlan> {
  return new Weighing(matter, target).steps();
}

const CHANGES_PER_STEP = 100;

class Weighing {
  readonly #matter: MergeMatter;
  readonly #target: Side;
  readonly #origin: ReadonlyMap<NodeId, NodeChange>;
  readonly #branch: ReadonlyMap<NodeId, NodeChange>;
  readonly #conflicts: Conflict[] = [];
  readonly #edges = new Map<string, EdgeDecision>();
  readonly #writes: MergeWrite[] = [];
  readonly #gone = new Set<NodeId>();
  /** Objects that one side ended in vain, with that side: what went with the object stays as well. */
  readonly #kept = new Map<NodeId, Side>();

  constructor(matter: MergeMatter, target: Side) {
    this.#matter = matter;
    this.#target = target;
    this.#branch = new Map(matter.branch.map(change => [change.id, change]));
    this.#origin = new Map(matter.origin.map(change => [change.id, change]));
  }

  *steps(): Generator<void, MergePlan> {
    for (const [place, change] of this.#matter.branch.entries()) {
      if (place % CHANGES_PER_STEP === 0) yield;
      const lost = this.#matter.without.get(change.id);
      if (lost !== undefined) this.#lose(change, lost);
      else this.#weighNode(change, this.#origin.get(change.id));
    }
    for (const change of this.#matter.origin) {
      if (!this.#branch.has(change.id) && !this.#kept.has(change.id)) this.#weighUntouched(change);
    }
    yield;
    for (const {end, side, properties, weight} of this.#edges.values()) {
      const isLost = this.#gone.has(end.node) || this.#gone.has(end.peer);
      // After a rebase the origin's word shows beside the branch's own, so that a choice for the branch must be said again.
      const isSaid = side === this.#target && !(side === 'branch' && weight > 1);
      if (isSaid || (isLost && properties !== undefined)) continue;
      const isVain = this.#kept.get(end.node) === side || this.#kept.get(end.peer) === side;
      if (properties !== undefined) this.#writes.push({is: 'link', end, properties});
      else if (!isVain) this.#writes.push({is: 'unlink', end});
    }
    if (this.#target === 'branch') this.#unlinkLost();
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
    const conflict = makeConflict(subject, wholeSide(branch), wholeSide(origin), this.#matter.choices);
    this.#conflicts.push(conflict);
    const {choice} = conflict;
    if (choice === undefined) return;
    const winner = choice === 'branch' ? branch : origin;
    if (winner.action === 'removed') this.#remove(winner, choice, otherThan(choice));
    else this.#keep(branch.id, choice);
  }

  /** A rebase brings what the origin has related to the object meanwhile, also where the branch has ended it before. */
  #remove({id}: NodeChange, side: Side, against?: Side): void {
    this.#gone.add(id);
    const meetsOthers = against === 'origin' && this.#target === 'branch';
    if (this.#writesFrom(side) || meetsOthers) this.#writes.push({is: 'delete', id, against});
  }

  /**
   * Also where the target has the object still: a rebase shows the removal by the origin through the branch, and values
   * that others derive from it came along from the side that had ended it.
   */
  #keep(id: NodeId, side: Side): void {
    this.#kept.set(id, otherThan(side));
    this.#writes.push({is: 'revive', id, from: side});
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

  #lose(change: NodeChange, fields: readonly string[]): void {
    if (change.action === 'added') this.#leaveOut(change);
    else this.#giveUp(change, new Set(fields));
  }

  /** An object of the branch that is not to be in the result takes its edges with it. */
  #leaveOut({id}: NodeChange): void {
    this.#gone.add(id);
    if (this.#target === 'branch') this.#writes.push({is: 'delete', id, against: 'branch'});
  }

  /**
   * The origin's word stands on the fields; on everything else both are weighed. It is written where it stands already
   * too, so that what follows from it is worked out again.
   */
  #giveUp(change: NodeChange, fields: ReadonlySet<string>): void {
    const origin = this.#origin.get(change.id);
    const {rules} = this.#matter;
    const attributes = change.attributes.filter(
      ({name}) => !fields.has(name) && !rules.isDerived(change.kind, name),
    );
    const edges = change.edges.filter(({relationship}) => !fields.has(relationship));
    this.#weighNode({...change, attributes, edges}, origin);
    const given: Record<string, AttributeWrite> = {};
    for (const {name, before} of change.attributes.filter(each => fields.has(each.name))) {
      const state = origin?.attributes.find(each => each.name === name)?.after ?? before;
      if (state !== undefined) given[name] = wholeWrite(state);
    }
    if (Object.keys(given).length > 0) this.#writes.push({is: 'update', id: change.id, attributes: given});
    for (const {relationship, peer, before} of change.edges.filter(each => fields.has(each.relationship))) {
      const theirs = origin?.edges.find(each => each.relationship === relationship && each.peer === peer);
      const after = theirs === undefined ? before : theirs.after;
      this.#decide(change, relationship, peer, 'origin', after, 3);
    }
  }

  /** What a branch has linked to objects that are gone is lost with them, and its own end may not do without. */
  #unlinkLost(): void {
    for (const {id, edges} of this.#matter.branch) {
      if (this.#gone.has(id)) continue;
      for (const {relationship, peer, after} of edges) {
        if (after === undefined || !this.#gone.has(peer)) continue;
        this.#writes.push({is: 'unlink', end: {node: id, relationship, peer}});
      }
    }
  }
}

const otherThan = (side: Side): Side => (side === 'branch' ? 'origin' : 'branch');

/** A side of a removal against a change. A choice is made for all that the object then has. */
function wholeSide({action, changedAt, attributes, edges}: NodeChange): ConflictSide {
  if (action === 'removed') return {action, value: null, changedAt};
  const values = attributes.map(({name, after}) => [
    name,
    after === undefined ? null : {...wholeWrite(after)},
  ]);
  const peers = edges.map(({relationship, peer, after}) => [
    relationship,
    peer,
    after === undefined ? null : {...after},
  ]);
  const state = sha1Hex(canonicalJson([values, peers]));
  return {action, value: null, changedAt, state};
}
