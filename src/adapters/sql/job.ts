import type {Statement, Work} from './statement.ts';

/** What a job leaves behind when it is done, before it is durable. */
export interface JobResult<T> {
  readonly value: T;
  /** The row that it has left in the log, by which it is found again; absent when there is none. */
  readonly commit?: Statement;
  /** Runs once the commit is durable, before anybody is told. */
  readonly publish?: () => void;
  /** True when others may only go on once this one is durable and published. */
  readonly standsAlone?: boolean;
}

/** One write among those that wait for their turn. */
export interface Job<T> {
  run(): Promise<JobResult<T>>;
  /** Runs after a failed job was rolled back. */
  undo(): void | Promise<void>;
}

/** Carries works out on the transaction of the write under way: at once, or over a network. */
export type Drive = <T>(work: Work<T>) => T | Promise<T>;

export interface Driver {
  readonly drive: Drive;
  /** For the steps of one draft, which may be many: others get a turn between them. None goes on once it is over. */
  steps(isOver: () => boolean): Drive;
}
