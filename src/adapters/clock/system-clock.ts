import type {Clock} from '../../ports/clock.ts';

/** The machine's wall clock. */
export const systemClock: Clock = {
  nowMicros: () => Math.round((performance.timeOrigin + performance.now()) * 1000),
};
