import {setImmediate as nextTurn} from 'node:timers/promises';
import {assert} from '../../base/assert.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {AttributeWrites, EdgeEnd, EdgeProperties, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {NewTask, TaskId} from '../../domain/task/task.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Draft, KindRecord, Neighbour, NewNode, Page} from '../../ports/graph-store.ts';
import type {TaskFinish} from '../../ports/task-queue.ts';
import type {DraftWork} from '../sql/draft-work.ts';
import {dropKind, putKind} from '../sql/kind-writer.ts';
import {neighboursOf} from '../sql/neighbours.ts';
import type {Row, Statement, Work} from '../sql/statement.ts';
import {finishWithCommit} from '../sql/task-leases.ts';
import {enqueueTask} from '../sql/task-writer.ts';
import type {Connection} from './connection.ts';
import type {TaskDesk} from './task-desk.ts';

/** A write gives the others a turn after this long, and goes on with its transaction open. */
const SLICE_MILLIS = 3;

type Step<T> = IteratorResult<Statement, T>;

export class SqliteDraft implements Draft {
  readonly branch: BranchName;
  message: string;
  /** True when it has written to the tasks. */
  hasTaskNews = false;
  readonly #tasks: TaskDesk;
  readonly #connection: Connection;
  readonly #work: DraftWork;
  #sliceStart = performance.now();
  /** The step that has given others a turn; the next one waits for it, so that steps never mix. */
  #underway: Promise<unknown> | undefined;
  #isOver = false;

  constructor(connection: Connection, work: DraftWork, branch: BranchName, message: string, tasks: TaskDesk) {
    this.#tasks = tasks;
    this.#connection = connection;
    this.#work = work;
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
    return Array.from(this.#work.state.layout.kinds.values(), kind => kind.record);
  }

  node(id: NodeId): Promise<NodeRecord | undefined> {
    return this.drive(this.#work.state.reader.node(id));
  }

  async nodes(ids: readonly NodeId[]): Promise<readonly (NodeRecord | undefined)[]> {
    const nodes = await this.drive(this.#work.state.reader.nodesById(ids));
    return ids.map(id => nodes.get(id));
  }

  query(query: NodeQuery): Promise<Page> {
    return this.drive(this.#work.state.queries.run(query));
  }

  neighbours(id: NodeId, relationship: string): Promise<readonly Neighbour[]> {
    return this.drive(neighboursOf(this.#work.state.reader, id, relationship));
  }

  create(node: NewNode): Promise<NodeRecord> {
    return this.drive(this.#work.create(node));
  }

  update(id: NodeId, attributes: AttributeWrites): Promise<NodeRecord> {
    return this.drive(this.#work.update(id, attributes));
  }

  delete(id: NodeId): Promise<void> {
    return this.drive(this.#work.delete(id));
  }

  link(end: EdgeEnd, properties: Partial<EdgeProperties> = {}): Promise<void> {
    return this.drive(this.#work.link(end, properties));
  }

  unlink(end: EdgeEnd): Promise<void> {
    return this.drive(this.#work.unlink(end));
  }

  putKind(record: KindRecord): Promise<void> {
    return this.drive(putKind(this.#work, record));
  }

  dropKind(id: string): Promise<void> {
    return this.drive(dropKind(this.#work, id));
  }

  enqueue(task: NewTask): Promise<TaskId> {
    this.hasTaskNews = true;
    return this.drive(enqueueTask(task, this.#tasks.newId(), this.#tasks.now()));
  }

  finishTask(finish: TaskFinish): Promise<void> {
    this.hasTaskNews = true;
    return this.drive(finishWithCommit(finish, this.#tasks.now()));
  }

  describe(message: string): void {
    this.message = message;
  }

  rehearse(): Promise<void> {
    return this.finish();
  }

  async finish(): Promise<void> {
    await this.drive(this.#work.finish());
    this.#isOver = true;
  }

  /** Nothing more is written through it: what comes late must not land in the commit of another. */
  abandon(): void {
    this.#isOver = true;
  }

  protected async drive<T>(work: Work<T>): Promise<T> {
    while (this.#underway !== undefined) await this.#underway;
    assert(!this.#isOver, 'a draft is used only until its body ends');
    const run = this.#run(work);
    if (!(run instanceof Promise)) return run;
    this.#underway = run.catch(() => undefined);
    try {
      return await run;
    } finally {
      this.#underway = undefined;
    }
  }

  #run<T>(work: Work<T>): T | Promise<T> {
    const step = this.#slice(work, work.next([]));
    return step.done === true ? step.value : this.#rest(work, step);
  }

  async #rest<T>(work: Work<T>, first: Step<T>): Promise<T> {
    let step = first;
    while (step.done !== true) {
      await nextTurn();
      assert(!this.#isOver, 'a body ends after its steps');
      this.#sliceStart = performance.now();
      step = this.#slice(work, step);
    }
    return step.value;
  }

  /** Goes on until the work is done or the time of the slice is used up. */
  #slice<T>(work: Work<T>, first: Step<T>): Step<T> {
    let step = first;
    while (step.done !== true && performance.now() - this.#sliceStart < SLICE_MILLIS) {
      let rows: readonly Row[];
      try {
        rows = this.#connection.run(step.value);
      } catch (error) {
        step = work.throw(error);
        continue;
      }
      step = work.next(rows);
    }
    return step;
  }
}
