import {must} from '../base/assert.ts';
import type {Branch, BranchName} from '../domain/branch/branch.ts';
import type {NodeChange} from '../domain/diff/change.ts';
import {branchNotFound, constraintViolation} from '../domain/errors.ts';
import type {NodeId} from '../domain/graph/node-id.ts';
import type {Instant} from '../domain/time/instant.ts';
import type {Clock} from './clock.ts';
import {differences} from './graph-model/diff.ts';
import {type Counters, ModelDraft} from './graph-model/draft.ts';
import {EMPTY_LAYER, type Layer, Timeline} from './graph-model/layer.ts';
import {ModelView} from './graph-model/view.ts';
import type {
  Author,
  CommitRecord,
  CommitsRequest,
  DiffRequest,
  Draft,
  GraphStore,
  NewBranch,
  ReadPoint,
  ThreeWay,
  Touch,
  VerifyReport,
  Written,
} from './graph-store.ts';

interface ModelBranch {
  readonly info: Branch;
  readonly timeline: Timeline;
}

interface Logged {
  readonly record: CommitRecord;
  readonly touched: ReadonlySet<NodeId>;
}

/**
 * The graph store as one would explain it on paper: each commit leaves a whole copy of what its branch then sees,
 * a fork begins with the copy of its origin, and every answer is worked out by looking at everything.
 * The real stores are compared with it, so nothing here is clever.
 */
export class GraphModel implements GraphStore {
  readonly deploymentId = 'model';
  readonly defaultBranch: BranchName;
  readonly oldest: Instant;
  readonly #clock: Clock;
  readonly #branches = new Map<BranchName, ModelBranch>();
  readonly #global = new Timeline();
  readonly #log: Logged[] = [];
  readonly #serials = new Map<NodeId, number>();
  #lastStamp = 0;
  #lastInstant = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor({clock, defaultBranch}: {readonly clock: Clock; readonly defaultBranch: BranchName}) {
    this.#clock = clock;
    this.defaultBranch = defaultBranch;
    this.oldest = this.#nextInstant();
    this.#addBranch(EMPTY_LAYER, {
      name: defaultBranch,
      description: '',
      isDefault: true,
      origin: undefined,
      forkedAt: this.oldest,
      createdAt: this.oldest,
      syncWithGit: true,
    });
  }

  /** An instant that was told is over: no later commit may fall on it. */
  now(): Instant {
    this.#lastInstant = Math.max(this.#clock.nowMicros(), this.#lastInstant);
    return this.#lastInstant as Instant;
  }

  async snapshot({branch, at = this.now()}: ReadPoint): Promise<ModelView> {
    return this.#view(branch, at);
  }

  spared(): boolean {
    return false;
  }

  write<T>(branch: BranchName, author: Author, body: (draft: Draft) => Promise<T>): Promise<Written<T>> {
    return this.#run(branch, author, body, false);
  }

  /** What a write would come to now; nothing is changed. */
  rehearse<T>(branch: BranchName, body: (draft: Draft) => Promise<T>): Promise<Written<T>> {
    return this.#run(branch, {account: null}, body, true);
  }

  /** True when the two ends of a diff have the same schema. */
  async isOneSchema({branch, from, to = this.now()}: DiffRequest): Promise<boolean> {
    const {info} = this.#existing(branch);
    const before = from === undefined ? this.#base(info) : this.#layer(branch, from);
    return before.kinds === this.#layer(branch, to).kinds;
  }

  #run<T>(
    branch: BranchName,
    author: Author,
    body: (draft: Draft) => Promise<T>,
    isRehearsal: boolean,
  ): Promise<Written<T>> {
    return this.#serially(async () => {
      const {timeline} = this.#existing(branch);
      const at = this.#upcoming();
      const serials = new Map<NodeId, number>();
      const draft = new ModelDraft(
        branch,
        at,
        timeline.head,
        this.#global.head,
        this.#authorAt,
        this.#counters(serials),
      );
      const value = await body(draft);
      draft.finish();
      if (!draft.hasChanges) return {value, commit: undefined};
      if (isRehearsal) return {value, commit: at};
      this.#lastInstant = at;
      const {own, global} = draft.result;
      for (const [id, serial] of serials) this.#serials.set(id, serial);
      timeline.push(at, own);
      this.#global.push(at, global);
      this.#logCommit(draft, author);
      return {value, commit: at};
    });
  }

  async branches(): Promise<readonly Branch[]> {
    return Promise.all([...this.#branches.keys()].map(name => this.branch(name)));
  }

  async branch(name: BranchName): Promise<Branch> {
    const {info, timeline} = this.#existing(name);
    const atFork = info.origin === undefined ? EMPTY_LAYER : this.#layer(info.origin, info.forkedAt);
    return {...info, hasSchemaChanges: timeline.head.kinds !== atFork.kinds};
  }

  createBranch({name, origin, at, description, syncWithGit}: NewBranch, _author: Author): Promise<Branch> {
    return this.#serially(async () => {
      if (this.#branches.has(name)) throw constraintViolation(`The branch ${name} exists already`);
      this.#existing(origin);
      const createdAt = this.#nextInstant();
      const forkedAt = at ?? createdAt;
      const info = {name, description, isDefault: false, origin, forkedAt, createdAt, syncWithGit};
      this.#addBranch(this.#layer(origin, forkedAt), info);
      return this.branch(name);
    });
  }

  deleteBranch(name: BranchName, _author: Author): Promise<void> {
    return this.#serially(async () => {
      const {info} = this.#existing(name);
      const hasChildren = [...this.#branches.values()].some(branch => branch.info.origin === name);
      if (info.isDefault || hasChildren) throw constraintViolation(`The branch ${name} must stay`);
      this.#branches.delete(name);
      const others = this.#log.filter(({record}) => record.branch !== name);
      this.#log.splice(0, this.#log.length, ...others);
    });
  }

  async diff({branch, from, to = this.now()}: DiffRequest): Promise<readonly NodeChange[]> {
    const {info} = this.#existing(branch);
    const before = from === undefined ? this.#base(info) : this.#layer(branch, from);
    return this.#compare(branch, before, from ?? info.createdAt, to);
  }

  async threeWay(branch: BranchName): Promise<ThreeWay> {
    const {info} = this.#existing(branch);
    const origin = must(info.origin, 'the origin');
    const now = this.now();
    const own = this.#compare(branch, this.#base(info), info.createdAt, now);
    const ours = this.#log.filter(({record}) => record.branch === branch);
    const told = new Set(ours.flatMap(({touched}) => [...touched]));
    const theirs = this.#compare(origin, this.#base(info), info.forkedAt, now);
    return {branch: own, origin: theirs.filter(change => told.has(change.id))};
  }

  async commits({
    branch,
    after,
    until,
    limit,
    newestFirst,
  }: CommitsRequest): Promise<readonly CommitRecord[]> {
    this.#existing(branch);
    const all = this.#log
      .map(({record}) => record)
      .filter(record => record.branch === branch && record.instant > (after ?? 0))
      .filter(record => until === undefined || record.instant <= until);
    return (newestFirst ? all.reverse() : all).slice(0, limit);
  }

  async authors(instants: readonly Instant[]): Promise<ReadonlyMap<Instant, NodeId | null>> {
    const asked = new Set(instants);
    const records = this.#log.map(({record}) => record).filter(({instant}) => asked.has(instant));
    return new Map(records.map(({instant, author}) => [instant, author]));
  }

  async touches(
    {branch, at = this.now()}: ReadPoint,
    id: NodeId,
    {limit, before}: {readonly limit: number; readonly before?: Instant},
  ): Promise<readonly Touch[]> {
    const found: Touch[] = [];
    const {origin, forkedAt} = this.#existing(branch).info;
    for (const {record, touched} of this.#log) {
      const isHere = record.branch === branch || this.#global.at(at).nodes.has(id);
      if (isHere && touched.has(id) && record.instant <= at) found.push({branch, instant: record.instant});
    }
    if (origin !== undefined) {
      const until = Math.min(at, forkedAt) as Instant;
      found.push(...(await this.touches({branch: origin, at: until}, id, {limit: this.#log.length + 1})));
    }
    const distinct = [...new Map(found.reverse().map(touch => [touch.instant, touch])).values()];
    return distinct
      .filter(({instant}) => instant < (before ?? Number.POSITIVE_INFINITY))
      .sort((a, b) => b.instant - a.instant)
      .slice(0, limit);
  }

  async verify(): Promise<VerifyReport> {
    return {checked: {}, problems: []};
  }

  async check(): Promise<void> {}

  async close(): Promise<void> {}

  #serially<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  #upcoming(): Instant {
    return Math.max(this.#clock.nowMicros(), this.#lastInstant + 1) as Instant;
  }

  #nextInstant(): Instant {
    this.#lastInstant = this.#upcoming();
    return this.#lastInstant as Instant;
  }

  /** Serials count from the first commit of an object; those of a body that fails are given again. */
  #counters(fresh: Map<NodeId, number>): Counters {
    const known = (id: NodeId) => this.#serials.get(id) ?? fresh.get(id);
    return {
      isUsed: id => known(id) !== undefined,
      serialOf: id => {
        const serial = known(id) ?? this.#serials.size + fresh.size + 1;
        if (!this.#serials.has(id)) fresh.set(id, serial);
        return serial;
      },
      nextStamp: () => {
        this.#lastStamp++;
        return this.#lastStamp;
      },
    };
  }

  #addBranch(layer: Layer, info: Omit<Branch, 'id' | 'hasSchemaChanges'>): void {
    const timeline = new Timeline();
    timeline.push(info.createdAt, layer);
    this.#branches.set(info.name, {
      info: {...info, id: `${info.name}@${info.createdAt}`, hasSchemaChanges: false},
      timeline,
    });
  }

  #existing(name: BranchName): ModelBranch {
    const branch = this.#branches.get(name);
    if (branch === undefined) throw branchNotFound(name);
    return branch;
  }

  /** Before a branch existed, its origin answers. */
  #layer(name: BranchName, at: Instant): Layer {
    const {info, timeline} = this.#existing(name);
    return at < info.createdAt && info.origin !== undefined ? this.#layer(info.origin, at) : timeline.at(at);
  }

  #base({origin, forkedAt}: Branch): Layer {
    return origin === undefined ? EMPTY_LAYER : this.#layer(origin, forkedAt);
  }

  #view(branch: BranchName, at: Instant): ModelView {
    return new ModelView(branch, at, this.#layer(branch, at), this.#global.at(at), this.#authorAt);
  }

  /** Agnostic data has no part in a diff, so both sides see the same. */
  #compare(branch: BranchName, base: Layer, from: Instant, to: Instant): NodeChange[] {
    const before = new ModelView(branch, from, base, this.#global.at(to), this.#authorAt);
    return differences(before, this.#view(branch, to), this.#touched(branch, from, to));
  }

  /** What was touched between two instants, and when last; before a branch existed, on its origin. */
  #touched(branch: BranchName, from: Instant, to: Instant): Map<NodeId, Instant> {
    const {origin, createdAt, forkedAt} = this.#existing(branch).info;
    const isEarly = origin !== undefined && from < createdAt;
    const [first, last] = from < forkedAt ? [from, forkedAt] : [forkedAt, from];
    const touched = isEarly ? this.#touched(origin, first, last) : new Map<NodeId, Instant>();
    for (const {record, touched: ids} of this.#log) {
      if (record.branch !== branch || record.instant <= from || record.instant > to) continue;
      for (const id of ids) touched.set(id, record.instant);
    }
    return touched;
  }

  readonly #authorAt = (instant: Instant): NodeId | null =>
    this.#log.find(({record}) => record.instant === instant)?.record.author ?? null;

  #logCommit(draft: ModelDraft, author: Author): void {
    const {branch, at: instant, touchedNodes, touchedEdges} = draft;
    const message = draft.message ?? author.message ?? '';
    const counts = {nodesTouched: touchedNodes.size, edgesTouched: touchedEdges.size};
    const record = {branch, instant, author: author.account, message, ...counts};
    this.#log.push({record, touched: new Set([...touchedNodes, ...[...touchedEdges.values()].flat()])});
  }
}
