import {randomUUID} from 'node:crypto';
import type {Branch, BranchName} from '../../domain/branch/branch.ts';
import {constraintViolation, validationError} from '../../domain/errors.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Author, NewBranch} from '../../ports/graph-store.ts';
import type {TaskEffects} from '../../ports/task-queue.ts';
import {commitStatement} from '../sql/commit-log.ts';
import type {Counters} from '../sql/counters.ts';
import {keepCounter} from '../sql/counters.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import {purgeStep} from '../sql/purge.ts';
import {baseStatement} from '../sql/rebase-branch.ts';
import type {Statement} from '../sql/statement.ts';
import {change, read} from '../sql/statement.ts';
import {finishWithCommit} from '../sql/task-leases.ts';
import {enqueueTask} from '../sql/task-writer.ts';
import type {CommitInstants} from './commit-instants.ts';
import type {Connection} from './connection.ts';
import type {TaskDesk} from './task-desk.ts';
import type {Job, JobResult} from './write-queue.ts';

const NEW_BRANCH = `INSERT INTO branch (id, uuid, name, description, created, sync, deleted, purged)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0)`;

/** Jobs of the write queue that make, describe and remove branches. */
export class BranchJobs {
  readonly #writer: Connection;
  readonly #context: GraphContext;
  readonly #instants: CommitInstants;
  readonly #counters: Counters;
  readonly #tasks: TaskDesk;

  constructor(
    writer: Connection,
    context: GraphContext,
    instants: CommitInstants,
    counters: Counters,
    tasks: TaskDesk,
  ) {
    this.#writer = writer;
    this.#context = context;
    this.#instants = instants;
    this.#counters = counters;
    this.#tasks = tasks;
  }

  create(request: NewBranch, author: Author, tasks: TaskEffects): Job<Branch> {
    return job(() => this.#with(tasks, this.#create(request, author)));
  }

  delete(name: BranchName, author: Author, tasks: TaskEffects): Job<void> {
    return job(() => this.#with(tasks, this.#delete(name, author)));
  }

  describe(name: BranchName, description: string): Job<void> {
    return job(() => {
      const {book} = this.#context;
      const row = book.byName(name);
      this.#writer.run(change('UPDATE branch SET description = ?2 WHERE id = ?1', [row.serial, description]));
      return {value: undefined, standsAlone: true, publish: () => book.add({...row, description})};
    });
  }

  /** One statement about a branch, which changes nothing that is kept in memory. */
  note(name: BranchName, statementFor: (serial: number) => Statement): Job<void> {
    return job(() => {
      this.#writer.run(statementFor(this.#context.book.byName(name).serial));
      return {value: undefined};
    });
  }

  /** Removes some rows of a deleted branch; true when none are left. */
  purge(branch: number): Job<boolean> {
    return job(() => ({value: this.#writer.drive(purgeStep(branch))}));
  }

  #with<T>({enqueue = [], finish}: TaskEffects, result: JobResult<T>): JobResult<T> {
    const now = this.#tasks.now();
    for (const task of enqueue) this.#writer.drive(enqueueTask(task, this.#tasks.newId(), now));
    if (finish !== undefined) this.#writer.drive(finishWithCommit(finish, now));
    const publish = () => {
      result.publish?.();
      if (enqueue.length > 0 || finish !== undefined) this.#tasks.tell({is: 'ready'});
    };
    return {...result, publish};
  }

  #create(request: NewBranch, author: Author): JobResult<Branch> {
    const {book} = this.#context;
    if (book.isTaken(request.name)) {
      throw validationError(`The branch ${request.name} already exists`, {branch: request.name});
    }
    const origin = book.byName(request.origin);
    const at = this.#instants.next();
    const fork = Math.min(request.at ?? at, at) as Instant;
    const serial = Number(this.#writer.run(read('SELECT max(id) FROM branch', []))[0]![0]) + 1;
    const {name, description, syncWithGit} = request;
    const row = {serial, id: randomUUID(), name, description, createdAt: at, syncWithGit};
    const base = {since: at, parent: origin.serial, fork, settles: true};
    this.#writer.run(change(NEW_BRANCH, [serial, row.id, name, description, at, syncWithGit ? 1 : 0]));
    this.#writer.run(commitStatement(serial, at, 'branch.created', author, author.message ?? ''));
    this.#writer.run(baseStatement(serial, base, false));
    const branch: Branch = {
      id: row.id,
      name,
      description,
      isDefault: false,
      origin: origin.name,
      forkedAt: fork,
      createdAt: at,
      syncWithGit,
      hasSchemaChanges: false,
    };
    return {
      value: branch,
      standsAlone: true,
      publish: () => {
        book.add(row);
        book.addBase(serial, base);
        book.moveHead(serial, at);
        this.#instants.publish(at);
      },
    };
  }

  #delete(name: BranchName, author: Author): JobResult<void> {
    const {book, defaultBranch} = this.#context;
    const row = book.byName(name);
    if (row.serial === defaultBranch) throw validationError(`The default branch ${name} cannot be deleted`);
    const children = book.childrenOf(row.serial).map(child => child.name);
    if (children.length > 0) {
      throw constraintViolation(
        `The branch ${name} cannot be deleted while other branches stand on it: ${children.join(', ')}`,
        {branch: name, children},
      );
    }
    const at = this.#instants.next();
    this.#writer.run(change('UPDATE branch SET deleted = ?2 WHERE id = ?1', [row.serial, at]));
    this.#writer.run(keepCounter(this.#counters));
    this.#writer.run(commitStatement(row.serial, at, 'branch.deleted', author, author.message ?? ''));
    return {
      value: undefined,
      standsAlone: true,
      publish: () => {
        book.remove(row);
        this.#instants.publish(at);
      },
    };
  }
}

/** Such a job changes nothing in memory before it is durable, so there is nothing to undo. */
const job = <T>(run: () => JobResult<T>): Job<T> => ({run: async () => run(), undo: () => undefined});
