import {assert} from '../../base/assert.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {AttributeWrites, EdgeEnd, EdgeProperties, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {NewTask, TaskId} from '../../domain/task/task.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {KindRecord, Neighbour, NewEdge, NewNode, Page} from '../../ports/graph-store.ts';
import type {Claim, MergeDraft, MergeMatterOfBranch, UniqueClash} from '../../ports/merge-store.ts';
import type {TaskFinish} from '../../ports/task-queue.ts';
import type {DraftWork} from './draft-work.ts';
import type {ForkMoves} from './fork-moves.ts';
import type {Drive, Driver} from './job.ts';
import {dropKind, putKind} from './kind-writer.ts';
import type {Landing} from './landing.ts';
import type {Work} from './statement.ts';
import type {TaskDesk} from './task-desk.ts';
import {finishWithCommit} from './task-leases.ts';
import {enqueueTask} from './task-writer.ts';

/** The draft of a write, whatever engine its steps are driven on. */
export class SqlDraft implements MergeDraft {
  readonly branch: BranchName;
  message: string;
  /** True when it has written to the tasks. */
  hasTaskNews = false;
  readonly #tasks: TaskDesk;
  readonly #steps: Drive;
  readonly #work: DraftWork;
  readonly #forks: ForkMoves;
  readonly #landing: Landing | undefined;
  /** True while others may write between the steps. */
  #isAhead = false;
  /** The step that has given others a turn; the next one waits for it, so that steps never mix. */
  #underway: Promise<unknown> | undefined;
  #isOver = false;

  constructor(
    driver: Driver,
    work: DraftWork,
    branch: BranchName,
    message: string,
    tasks: TaskDesk,
    forks: ForkMoves,
    landing?: Landing,
  ) {
    this.#tasks = tasks;
    this.#steps = driver.steps(() => this.#isOver);
    this.#work = work;
    this.#forks = forks;
    this.#landing = landing;
    this.branch = branch;
    this.message = message;
  }

  get at(): Instant {
    return this.#work.state.at;
  }

  get schemaKey(): string {
    return this.#work.state.layout.key;
  }

  kind(name: string): KindShape | undefined {
    return this.#work.state.layout.kinds.get(name)?.shape;
  }

  kinds(): readonly KindRecord[] {
    return Array.from(this.#work.state.layout.bySerial.values(), kind => kind.record);
  }

  node(id: NodeId): Promise<NodeRecord | undefined> {
    return this.#drive(this.#work.find(id));
  }

  async nodes(ids: readonly NodeId[]): Promise<readonly (NodeRecord | undefined)[]> {
    const nodes = await this.#drive(this.#work.findAll(ids));
    return ids.map(id => nodes.get(id));
  }

  query(query: NodeQuery): Promise<Page> {
    return this.#drive(this.#work.state.queries.run(query));
  }

  neighbours(id: NodeId, relationship: string): Promise<readonly Neighbour[]> {
    return this.#drive(this.#work.neighbours(id, relationship));
  }

  create(node: NewNode): Promise<NodeRecord> {
    return this.#drive(this.#work.create(node));
  }

  update(id: NodeId, attributes: AttributeWrites): Promise<NodeRecord> {
    return this.#drive(this.#work.update(id, attributes));
  }

  delete(id: NodeId): Promise<void> {
    return this.#drive(this.#work.delete(id));
  }

  link(end: EdgeEnd, properties: Partial<EdgeProperties> = {}): Promise<void> {
    return this.#drive(this.#work.link(end, properties));
  }

  linkAll(edges: readonly NewEdge[]): Promise<void> {
    return this.#drive(this.#work.linkAll(edges));
  }

  unlink(end: EdgeEnd): Promise<void> {
    return this.#drive(this.#work.unlink(end));
  }

  putKind(record: KindRecord): Promise<void> {
    return this.#drive(putKind(this.#work, record));
  }

  dropKind(id: string): Promise<void> {
    return this.#drive(dropKind(this.#work, id));
  }

  enqueue(task: NewTask): Promise<TaskId> {
    this.hasTaskNews = true;
    return this.#drive(enqueueTask(task, this.#tasks.newId(), this.#tasks.now()));
  }

  finishTask(finish: TaskFinish): Promise<void> {
    this.hasTaskNews = true;
    return this.#drive(finishWithCommit(finish, this.#tasks.now()));
  }

  matter(branch: BranchName, prepared?: MergeMatterOfBranch): Promise<MergeMatterOfBranch> {
    return this.#drive(this.#forks.matter(branch, prepared));
  }

  clashes(branch: BranchName): Promise<readonly UniqueClash[]> {
    return this.#drive(this.#forks.clashes(branch));
  }

  async ahead(claim: () => Claim, work: () => Promise<void>): Promise<void> {
    const landing = this.#landing;
    const {state, keys} = this.#work;
    const claimed = landing === undefined || this.#isAhead ? undefined : claim();
    if (claimed === undefined || !(await this.#drive(landing!.begin(state, claimed)))) {
      await work();
      return;
    }
    this.#isAhead = true;
    await work();
    // Where nobody else writes to its branch, no key can be taken from it any more.
    if (claimed.branch === this.branch) for (const step of keys.steps()) await this.#drive(step);
    this.#isAhead = false;
    await this.#inLine(landing!.last(state));
  }

  async settle(branch: BranchName): Promise<void> {
    const touched = await this.#drive(this.#forks.touched(branch));
    if (this.#isAhead) await this.#drive(this.#landing!.noteMerged(touched));
    for (const step of await this.#drive(this.#forks.settle(branch, touched))) await this.#drive(step);
  }

  async rebase(): Promise<void> {
    for (const step of this.#forks.rebase()) await this.#drive(step);
  }

  describe(message: string): void {
    this.message = message;
  }

  rehearse(): Promise<void> {
    return this.finish();
  }

  async finish(): Promise<void> {
    await this.#drive(this.#forks.finish());
    await this.#drive(this.#work.finish());
    this.#isOver = true;
  }

  /** Nothing more is written through it: what comes late must not land in the commit of another. */
  abandon(): void {
    this.#isOver = true;
  }

  async #drive<T>(work: Work<T>): Promise<T> {
    while (this.#underway !== undefined) await this.#underway;
    if (this.#isAhead && this.#landing!.isDue) await this.#inLine(this.#landing!.handOver(this.#work.state));
    assert(!this.#isOver, 'a draft is used only until its body ends');
    const run = this.#steps(work);
    return run instanceof Promise ? this.#inLine(run) : run;
  }

  /** The next step waits for it. */
  async #inLine<T>(run: Promise<T>): Promise<T> {
    this.#underway = run.catch(() => undefined);
    try {
      return await run;
    } finally {
      this.#underway = undefined;
    }
  }
}
