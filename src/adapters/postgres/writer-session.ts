import {assert} from '../../base/assert.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {BranchJobs} from '../sql/branch-jobs.ts';
import {CommitFollower} from '../sql/commit-follower.ts';
import type {CommitInstants} from '../sql/commit-instants.ts';
import type {Counters} from '../sql/counters.ts';
import {loadCounters} from '../sql/counters.ts';
import {DraftJobs} from '../sql/draft-jobs.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import type {Driver} from '../sql/job.ts';
import {Staging} from '../sql/landing.ts';
import type {Work} from '../sql/statement.ts';
import type {TaskDesk} from '../sql/task-desk.ts';
import type {CommitLock} from './commit-lock.ts';
import type {PgConnection} from './pg-connection.ts';

export interface SessionParts {
  readonly context: Pick<GraphContext, 'dialect' | 'layouts' | 'cache' | 'defaultBranch'>;
  readonly instants: CommitInstants;
  readonly tasks: TaskDesk;
  readonly lock: CommitLock;
  readonly oldest: Instant;
}

/**
 * One connection that writes, and what it knows of the graph. Nobody else commits while it holds the lock, so once it
 * has caught up, what it knows is what is there. It is thrown away with its connection.
 */
export class WriterSession {
  readonly connection: PgConnection;
  readonly drafts: DraftJobs;
  readonly branches: BranchJobs;
  readonly #follower: CommitFollower;
  readonly #counters: Counters;
  readonly #parts: SessionParts;

  private constructor(
    connection: PgConnection,
    parts: SessionParts,
    follower: CommitFollower,
    counters: Counters,
  ) {
    this.connection = connection;
    this.#parts = parts;
    this.#follower = follower;
    this.#counters = counters;
    const {instants, tasks} = parts;
    const driver: Driver = {
      drive: work => connection.drive(work),
      steps: isOver => work => {
        assert(!isOver(), 'a body ends after its steps');
        return connection.drive(work, isOver);
      },
    };
    const {context} = follower;
    const jobs = {driver, context, instants, counters, tasks, staging: new Staging()};
    this.drafts = new DraftJobs(jobs);
    this.branches = new BranchJobs(jobs);
  }

  static async open(connection: PgConnection, parts: SessionParts): Promise<WriterSession> {
    const [follower, counters] = await connection.snapshot(() => loaded(parts));
    return new WriterSession(connection, parts, follower, counters);
  }

  get context(): GraphContext {
    return this.#follower.context;
  }

  /** Opens a transaction in which nobody else commits, and catches up with those who did. */
  async begin(): Promise<void> {
    const {connection} = this;
    connection.later('BEGIN');
    connection.later(this.#parts.lock.take);
    if (await connection.drive(this.#follower.catchUp())) {
      Object.assign(this.#counters, await connection.drive(loadCounters()));
    }
    this.#parts.instants.reach(this.#follower.told);
  }

  /** A commit of its own is durable. */
  reach(commit: Instant): void {
    this.#follower.reach(commit);
  }
}

function* loaded({context, oldest}: SessionParts): Work<readonly [CommitFollower, Counters]> {
  return [yield* CommitFollower.load(context, oldest), yield* loadCounters()];
}
