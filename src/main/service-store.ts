import type {StoreFigures} from '../adapters/sqlite/store-watch.ts';
import type {Instant} from '../domain/time/instant.ts';
import type {EventLog} from '../ports/event-log.ts';
import type {GraphStore} from '../ports/graph-store.ts';
import type {MergeStore} from '../ports/merge-store.ts';
import type {TaskQueue} from '../ports/task-queue.ts';

/** All that one database holds, whatever engine it is. */
export interface ServiceStore extends GraphStore, MergeStore {
  /** True when this start made the database. */
  readonly isNew: boolean;
  readonly tasks: TaskQueue;
  readonly events: EventLog;
  /** The last commit that reads without an instant see. */
  committed(): Instant;
  /** Reads from here on see the commit, whatever server made it; fails when it cannot be found. */
  reach(commit: Instant): Promise<void>;
  /** Reads from here on see whatever was acknowledged before, by any server; absent where there is no other. */
  latest?(): Promise<void>;
  /** Fails while nothing is heard of the commits of other servers. */
  checkChannel(): Promise<void>;
  /** Fails when what is kept in memory cannot be used. */
  checkCache(): Promise<void>;
  figures(): Promise<StoreFigures>;
}
