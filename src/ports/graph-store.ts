import type {Awaitable} from '../base/awaitable.ts';
import type {Json} from '../base/json.ts';
import type {Branch, BranchName} from '../domain/branch/branch.ts';
import type {NodeChange} from '../domain/diff/change.ts';
import type {AttributeWrites, EdgeEnd, EdgeProperties, EdgeRecord, NodeRecord} from '../domain/graph/node.ts';
import type {NodeId} from '../domain/graph/node-id.ts';
import type {KindShape} from '../domain/graph/shape.ts';
import type {Cursor, NodeQuery} from '../domain/query/node-query.ts';
import type {NewTask, TaskId} from '../domain/task/task.ts';
import type {Instant} from '../domain/time/instant.ts';
import type {TaskEffects, TaskFinish} from './task-queue.ts';

/** Where a read stands: a branch, now or at a past instant. */
export interface ReadPoint {
  readonly branch: BranchName;
  readonly at?: Instant;
}

export interface Author {
  /** The account that writes; null for the service itself. */
  readonly account: NodeId | null;
  readonly message?: string;
}

export interface CommitRecord {
  readonly branch: BranchName;
  readonly instant: Instant;
  readonly author: NodeId | null;
  readonly message: string;
  readonly nodesTouched: number;
  readonly edgesTouched: number;
}

export interface Found {
  readonly node: NodeRecord;
  readonly cursor: Cursor;
  /** The edge by which it was reached; absent at the top level. */
  readonly edge: EdgeRecord | undefined;
  /** One page for each `include` of the query, in its order. */
  readonly included: readonly Page[];
}

export interface Page {
  readonly found: readonly Found[];
  readonly count: number | undefined;
  readonly hasMore: boolean;
}

export interface Neighbour {
  readonly id: NodeId;
  readonly kind: string;
  readonly edge: EdgeRecord;
}

/** A commit that changed an object or its edges: on the branch itself, or on one that it stands on. */
export interface Touch {
  readonly branch: BranchName;
  readonly instant: Instant;
}

/** A kind as it is stored: the shape for the store, the definition for the schema language. */
export interface KindRecord {
  readonly shape: KindShape;
  readonly definition: Json;
}

/**
 * One consistent, immutable state of a branch: two reads through it agree while others write.
 * It costs nothing to open and need not be closed.
 */
export interface Snapshot {
  readonly branch: BranchName;
  readonly at: Instant;
  /** Names the schema visible here; equal keys mean equal schemas, for ever. */
  readonly schemaKey: string;
  kind(name: string): KindShape | undefined;
  /** Every node kind visible here, by name. */
  kinds(): readonly KindRecord[];
  node(id: NodeId): Promise<NodeRecord | undefined>;
  nodes(ids: readonly NodeId[]): Promise<readonly (NodeRecord | undefined)[]>;
  /** A kind that the schema does not know here has no objects. */
  query(query: NodeQuery): Awaitable<Page>;
  neighbours(id: NodeId, relationship: string): Promise<readonly Neighbour[]>;
}

/**
 * A write under way on the head of a branch. Its reads see what it has written so far.
 * Constraints that span objects hold when the body ends, not before, so steps may come in any order.
 */
export interface Draft extends Snapshot {
  create(node: NewNode): Promise<NodeRecord>;
  /** Writes only what differs; an update that changes nothing leaves no version. */
  update(id: NodeId, attributes: AttributeWrites): Promise<NodeRecord>;
  /** Ends the object and every edge it has. */
  delete(id: NodeId): Promise<void>;
  /** Adds the edge, or sets the properties of one that is there. */
  link(end: EdgeEnd, properties?: Partial<EdgeProperties>): Promise<void>;
  /** Links each, at the cost of fewer statements. */
  linkAll(edges: readonly NewEdge[]): Promise<void>;
  unlink(end: EdgeEnd): Promise<void>;
  putKind(record: KindRecord): Promise<void>;
  /** Removes the kind and ends all its objects. */
  dropKind(id: string): Promise<void>;
  /** Queues work in the background: it is there once the write is durable, and only then. */
  enqueue(task: NewTask): Promise<TaskId>;
  /** Completes the task whose work this write is; fails when another has its lease by now. */
  finishTask(finish: TaskFinish): Promise<void>;
  /** Names the commit when the caller learns only now what it does. */
  describe(message: string): void;
  /** Applies now what else holds when the body ends. It is the last step of a body that gives its write up. */
  rehearse(): Promise<void>;
}

export interface NewEdge {
  readonly end: EdgeEnd;
  readonly properties?: Partial<EdgeProperties>;
}

export interface NewNode {
  readonly id: NodeId;
  readonly kind: string;
  readonly attributes: AttributeWrites;
  /** The id belongs to an object of another branch or of the past, which this write brings here. */
  readonly isKnown?: boolean;
}

export interface Written<T> {
  readonly value: T;
  /** Absent when the body changed nothing: then there is no commit. */
  readonly commit: Instant | undefined;
}

export interface NewBranch {
  readonly name: BranchName;
  readonly origin: BranchName;
  /** Fork from a past instant of the origin, even from before it existed: then from what it stands on. Default now. */
  readonly at?: Instant;
  readonly description: string;
  readonly syncWithGit: boolean;
}

export interface DiffRequest {
  readonly branch: BranchName;
  /** Absent: since the branch left its origin, as one comparison with what it sees of it. */
  readonly from?: Instant;
  readonly to?: Instant;
}

/** One object or schema record changed on the branch, in the three states that a merge weighs. */
export interface ThreeWay {
  /** Changed on the branch since the fork: base to branch. */
  readonly branch: readonly NodeChange[];
  /** What the origin did meanwhile to all that the branch wrote to, changed in the end or not: base to origin. */
  readonly origin: readonly NodeChange[];
}

export interface CommitsRequest {
  readonly branch: BranchName;
  readonly after?: Instant;
  readonly until?: Instant;
  readonly limit: number;
  readonly newestFirst: boolean;
}

export interface VerifyReport {
  readonly checked: Readonly<Record<string, number>>;
  /** Empty when every invariant holds. */
  readonly problems: readonly string[];
}

/**
 * Every branch of the versioned graph.
 *
 * A `write` is one commit: it lands whole or not at all, and once it is acknowledged it survives
 * the loss of the process and of power. Bodies of one branch never interleave, so a body decides on
 * the state it leaves. A body awaits nothing but its draft.
 */
export interface GraphStore {
  readonly deploymentId: string;
  readonly defaultBranch: BranchName;
  /** The first instant of history. */
  readonly oldest: Instant;
  now(): Instant;
  snapshot(point: ReadPoint): Awaitable<Snapshot>;
  /**
   * True when no commit after one instant and up to another, on whatever branch, touched objects of kinds that matter or
   * edges of theirs. False when that is not known.
   */
  spared(since: Instant, until: Instant, matters: (kind: KindShape) => boolean): boolean;
  write<T>(branch: BranchName, author: Author, body: (draft: Draft) => Promise<T>): Promise<Written<T>>;
  branches(): Promise<readonly Branch[]>;
  branch(name: BranchName): Awaitable<Branch>;
  createBranch(request: NewBranch, author: Author, tasks?: TaskEffects): Promise<Branch>;
  /** Frees the branch's space in bounded steps; refused while other branches stand on it. */
  deleteBranch(name: BranchName, author: Author, tasks?: TaskEffects): Promise<void>;
  diff(request: DiffRequest): Promise<readonly NodeChange[]>;
  threeWay(branch: BranchName): Promise<ThreeWay>;
  commits(request: CommitsRequest): Promise<readonly CommitRecord[]>;
  /** Who made the commits of these instants; instants without a commit are left out. */
  authors(instants: readonly Instant[]): Promise<ReadonlyMap<Instant, NodeId | null>>;
  /**
   * The commits that touched an object, as seen from a point, newest first. An instant may be among them at which
   * nothing that can be seen has changed.
   */
  touches(
    point: ReadPoint,
    id: NodeId,
    page: {readonly limit: number; readonly before?: Instant},
  ): Promise<readonly Touch[]>;
  /** Walks everything and proves the invariants of the layout. */
  verify(): Promise<VerifyReport>;
  /** Fails when the store cannot answer or cannot write. */
  check(): Promise<void>;
  close(): Promise<void>;
}
