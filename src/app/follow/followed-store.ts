import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {Choice} from '../../domain/merge/conflict.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {
  Author,
  CommitsRequest,
  DiffRequest,
  Draft,
  GraphStore,
  NewBranch,
  ReadPoint,
} from '../../ports/graph-store.ts';
import type {MergeDraft, MergeStore} from '../../ports/merge-store.ts';
import type {TaskEffects} from '../../ports/task-queue.ts';
import {followTask} from './follow-workflow.ts';

/** Whether there is anything that follows from commits; while there is nothing, following costs nothing. */
export interface Following {
  readonly isOn: boolean;
}

/** The store, with a task in every commit that looks at what follows from it. */
export class FollowedStore implements GraphStore, MergeStore {
  readonly #inner: GraphStore & MergeStore;
  readonly #following: Following;

  constructor(inner: GraphStore & MergeStore, following: Following) {
    this.#inner = inner;
    this.#following = following;
  }

  get deploymentId() {
    return this.#inner.deploymentId;
  }

  get defaultBranch() {
    return this.#inner.defaultBranch;
  }

  get oldest() {
    return this.#inner.oldest;
  }

  now = () => this.#inner.now();
  snapshot = (point: ReadPoint) => this.#inner.snapshot(point);
  spared = (since: Instant, until: Instant, matters: (kind: KindShape) => boolean) =>
    this.#inner.spared(since, until, matters);
  branches = () => this.#inner.branches();
  branch = (name: BranchName) => this.#inner.branch(name);
  diff = (request: DiffRequest) => this.#inner.diff(request);
  threeWay = (branch: BranchName) => this.#inner.threeWay(branch);
  commits = (request: CommitsRequest) => this.#inner.commits(request);
  authors = (instants: readonly Instant[]) => this.#inner.authors(instants);
  touches = (point: ReadPoint, id: NodeId, page: {readonly limit: number; readonly before?: Instant}) =>
    this.#inner.touches(point, id, page);
  verify = () => this.#inner.verify();
  check = () => this.#inner.check();
  close = () => this.#inner.close();
  matter = (branch: BranchName) => this.#inner.matter(branch);
  clashes = (branch: BranchName) => this.#inner.clashes(branch);
  choose = (branch: BranchName, conflict: string, choice: Choice | null) =>
    this.#inner.choose(branch, conflict, choice);
  distance = (branch: BranchName) => this.#inner.distance(branch);
  describe = (branch: BranchName, description: string) => this.#inner.describe(branch, description);

  write<T>(branch: BranchName, author: Author, body: (draft: Draft) => Promise<T>) {
    return this.#inner.write(branch, author, this.#followed(body));
  }

  combine<T>(branch: BranchName, author: Author, body: (draft: MergeDraft) => Promise<T>, changes?: number) {
    return this.#inner.combine(branch, author, this.#followed(body), changes);
  }

  createBranch(request: NewBranch, author: Author, tasks?: TaskEffects) {
    return this.#inner.createBranch(request, author, this.#alongside(tasks));
  }

  deleteBranch(name: BranchName, author: Author, tasks?: TaskEffects) {
    return this.#inner.deleteBranch(name, author, tasks);
  }

  #followed<D extends Draft, T>(body: (draft: D) => Promise<T>): (draft: D) => Promise<T> {
    if (!this.#following.isOn) return body;
    return async draft => {
      const value = await body(draft);
      await draft.enqueue(followTask(draft.at));
      return value;
    };
  }

  #alongside(tasks: TaskEffects | undefined): TaskEffects | undefined {
    if (!this.#following.isOn) return tasks;
    return {...tasks, enqueue: [...(tasks?.enqueue ?? []), followTask(this.#inner.now())]};
  }
}
