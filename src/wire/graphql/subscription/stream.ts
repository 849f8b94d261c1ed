import type {Caller} from '../../../app/caller.ts';

/** What a subscription yields: bodies of answers, as text, one after the other. */
export interface Stream {
  /** Some more, once there are some; undefined when it is over. */
  next(): Promise<Yield | undefined>;
  /** What the subscriber may see has changed. */
  allow(caller: Caller): void;
  close(): void;
}

/** Bodies that belong together. Subscribers who get the same may get the same object. */
export interface Yield {
  readonly bodies: readonly string[];
  /** What others have made of it already. */
  readonly made: Map<string, Buffer>;
}

export const yieldOf = (bodies: readonly string[]): Yield => ({bodies, made: new Map()});
