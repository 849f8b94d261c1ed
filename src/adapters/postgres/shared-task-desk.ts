import type {Clock} from '../../ports/clock.ts';
import type {TaskNews} from '../../ports/task-queue.ts';
import type {CommitInstants} from '../sql/commit-instants.ts';
import {TaskDesk} from '../sql/task-desk.ts';

/** A desk whose news reach the workers of other servers too. */
export class SharedTaskDesk extends TaskDesk {
  readonly #send: (payload: string) => void;

  constructor(clock: Clock, instants: CommitInstants, send: (payload: string) => void) {
    super(clock, instants);
    this.#send = send;
  }

  override tell(news: TaskNews): void {
    super.tell(news);
    this.#send(JSON.stringify(news));
  }

  /** News of another server. */
  hear(payload: string): void {
    super.tell(JSON.parse(payload) as TaskNews);
  }
}
