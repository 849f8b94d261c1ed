import type {TaskId} from '../../domain/task/task.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Clock} from '../../ports/clock.ts';
import type {Ids} from '../../ports/ids.ts';
import type {TaskNews} from '../../ports/task-queue.ts';
import {timeOrderedIds} from '../ids/time-ordered-ids.ts';
import type {CommitInstants} from './commit-instants.ts';

type Listener = (news: TaskNews) => void;

/** What every write needs that touches tasks: their ids, the time, and who wants to hear of them. */
export class TaskDesk {
  readonly #instants: CommitInstants;
  readonly #ids: Ids;
  readonly #listeners = new Set<Listener>();

  constructor(clock: Clock, instants: CommitInstants) {
    this.#instants = instants;
    this.#ids = timeOrderedIds(clock);
  }

  newId(): TaskId {
    return this.#ids.nodeId() as string as TaskId;
  }

  /** As that of commits: it never goes back, so that what was due stays due. */
  now(): Instant {
    return this.#instants.now();
  }

  watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(news: TaskNews): void {
    for (const listener of this.#listeners) listener(news);
  }
}
