import {randomUUID} from 'node:crypto';
import type {Branch, BranchName} from '../../domain/branch/branch.ts';
import {constraintViolation, validationError} from '../../domain/errors.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Author, NewBranch} from '../../ports/graph-store.ts';
import type {TaskEffects} from '../../ports/task-queue.ts';
import {commitStatement} from './commit-log.ts';
import {keepCounter} from './counters.ts';
import type {JobParts} from './draft-jobs.ts';
import type {Job, JobResult} from './job.ts';
import {InTheWay} from './job.ts';
import {purgeStep} from './purge.ts';
import {baseStatement} from './rebase-branch.ts';
import type {Statement, Work} from './statement.ts';
import {blind, read} from './statement.ts';
import {finishWithCommit} from './task-leases.ts';
import {enqueueTask} from './task-writer.ts';

const NEW_BRANCH = `INSERT INTO branch (id, uuid, name, description, created, sync, deleted, purged)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0)`;

/** Jobs of the write queue that make, describe and remove branches. */
export class BranchJobs {
  readonly #parts: JobParts;

  constructor(parts: JobParts) {
    this.#parts = parts;
  }

  create(request: NewBranch, author: Author, tasks: TaskEffects): Job<Branch> {
    return this.#job(() => this.#with(tasks, this.#create(request, author)));
  }

  delete(name: BranchName, author: Author, tasks: TaskEffects): Job<void> {
    return this.#job(() => this.#with(tasks, this.#delete(name, author)));
  }

  describe(name: BranchName, description: string): Job<void> {
    return this.#job(() => this.#describe(name, description));
  }

  /** One statement about a branch, which changes nothing that is kept in memory. */
  note(name: BranchName, statementFor: (serial: number) => Statement): Job<void> {
    return this.#job(() => this.#note(name, statementFor));
  }

  /** Removes some rows of a deleted branch; true when none are left. */
  purge(branch: number): Job<boolean> {
    return this.#job(() => purged(branch));
  }

  *#with<T>({enqueue = [], finish}: TaskEffects, work: Work<JobResult<T>>): Work<JobResult<T>> {
    const result = yield* work;
    const now = this.#parts.tasks.now();
    for (const task of enqueue) yield* enqueueTask(task, this.#parts.tasks.newId(), now);
    if (finish !== undefined) yield* finishWithCommit(finish, now);
    const publish = () => {
      result.publish?.();
      if (enqueue.length > 0 || finish !== undefined) this.#parts.tasks.tell({is: 'ready'});
    };
    return {...result, publish};
  }

  *#note(name: BranchName, statementFor: (serial: number) => Statement): Work<JobResult<void>> {
    yield statementFor(this.#parts.context.book.byName(name).serial);
    return {value: undefined};
  }

  *#describe(name: BranchName, description: string): Work<JobResult<void>> {
    const {book} = this.#parts.context;
    const row = book.byName(name);
    yield blind('UPDATE branch SET description = ?2 WHERE id = ?1', [row.serial, description]);
    return {value: undefined, standsAlone: true, publish: () => book.add({...row, description})};
  }

  *#create(request: NewBranch, author: Author): Work<JobResult<Branch>> {
    const {book} = this.#parts.context;
    if (book.isTaken(request.name)) {
      throw validationError(`The branch ${request.name} already exists`, {branch: request.name});
    }
    const origin = book.byName(request.origin);
    const at = this.#parts.instants.next();
    const fork = Math.min(request.at ?? at, at) as Instant;
    const serial = Number((yield read('SELECT max(id) FROM branch', []))[0]![0]) + 1;
    const {name, description, syncWithGit} = request;
    const row = {serial, id: randomUUID(), name, description, createdAt: at, syncWithGit};
    const base = {since: at, parent: origin.serial, fork, settles: true};
    yield blind(NEW_BRANCH, [serial, row.id, name, description, at, syncWithGit ? 1 : 0]);
    const commit = commitStatement(serial, at, 'branch.created', author, author.message ?? '');
    yield commit;
    yield baseStatement(serial, base, false);
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
      commit,
      standsAlone: true,
      publish: () => {
        book.add(row);
        book.addBase(serial, base);
        book.moveHead(serial, at);
        this.#parts.instants.publish(at);
      },
    };
  }

  *#delete(name: BranchName, author: Author): Work<JobResult<void>> {
    const {context, staging} = this.#parts;
    const {book, defaultBranch} = context;
    const row = book.byName(name);
    if (staging.current?.held === row.serial) throw new InTheWay();
    if (row.serial === defaultBranch) throw validationError(`The default branch ${name} cannot be deleted`);
    const children = book.childrenOf(row.serial).map(child => child.name);
    if (children.length > 0) {
      throw constraintViolation(
        `The branch ${name} cannot be deleted while other branches stand on it: ${children.join(', ')}`,
        {branch: name, children},
      );
    }
    const at = this.#parts.instants.next();
    yield blind('UPDATE branch SET deleted = ?2 WHERE id = ?1', [row.serial, at]);
    yield keepCounter(this.#parts.counters);
    const commit = commitStatement(row.serial, at, 'branch.deleted', author, author.message ?? '');
    yield commit;
    return {
      value: undefined,
      commit,
      standsAlone: true,
      publish: () => {
        book.remove(row);
        this.#parts.instants.publish(at);
      },
    };
  }

  /** Such a job changes nothing in memory before it is durable, so there is nothing to undo. */
  #job<T>(work: () => Work<JobResult<T>>): Job<T> {
    return {run: async () => this.#parts.driver.drive(work()), undo: () => undefined};
  }
}

function* purged(branch: number): Work<JobResult<boolean>> {
  return {value: yield* purgeStep(branch)};
}
