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

export interface NextTurn {
  /** So many milliseconds from now, or later. */
  readonly after?: number;
  readonly isLast?: boolean;
}

/** The turns of a write that lands in steps, between which others write. */
export interface Turns {
  /** Keeps what was written in this turn: in the last one it is durable, before that as soon as anything later is. */
  commit(): void;
  /** Lets others write, and begins the next turn. */
  next(turn?: NextTurn): Promise<void>;
  /** Gives up what was written in this turn, and begins it anew. */
  takeBack(): void;
  /** Nothing may be written any more, since what was written can neither go on nor be taken back. */
  breakOff(cause: unknown): void;
}

/** A write that lands in steps: it begins in a turn of its own, and leaves nothing that is not durable when it ends. */
export interface SteppedJob<T> {
  land(turns: Turns): Promise<T>;
}

/** Thrown by a job that would write what one that lands in steps has claimed: it is run again after that one. */
export class InTheWay extends Error {
  constructor() {
    super('a merge under way has claimed what this write changes');
  }
}

/** Carries works out on the transaction of the write under way: at once, or over a network. */
export type Drive = <T>(work: Work<T>) => T | Promise<T>;

export interface Driver {
  readonly drive: Drive;
  /** For the steps of one draft, which may be many: others get a turn between them. None goes on once it is over. */
  steps(isOver: () => boolean): Drive;
}
