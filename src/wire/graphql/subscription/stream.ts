import type {Caller} from '../../../app/caller.ts';

/** What a subscription yields: bodies of answers, as text, one after the other. */
export interface Stream {
  /** Some more, once there are some; undefined when it is over. */
  next(): Promise<readonly string[] | undefined>;
  /** What the subscriber may see has changed. */
  allow(caller: Caller): void;
  close(): void;
}
