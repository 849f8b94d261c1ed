import type {Figure} from '../measure.ts';

/** The set and size that the prototype of the layout was measured with. */
export const DESIGN_SET = 'layout';
export const DESIGN_SIZE = 200_000;

/** What the prototype took, on another machine (2 cores, arm64, fdatasync about 70 µs). */
export const DESIGN: readonly (readonly [name: string, unit: Figure['unit'], value: number])[] = [
  ['get by id, main', 'micros', 12],
  ['get by id, branch', 'micros', 13],
  ['get by id, past', 'micros', 12],
  ['first 50, filter + order, main', 'micros', 330],
  ['first 50, filter + order, branch', 'micros', 473],
  ['first 50, filter + order, past', 'micros', 359],
  ['nested 50 x 1 x 10, main', 'micros', 4_200],
  ['nested 50 x 1 x 10, main, documents known', 'micros', 3_100],
  ['count of a kind of N / 10, main', 'micros', 1_100],
  ['count of a kind of N / 10, branch', 'micros', 2_200],
  ['durable create', 'micros', 328],
  ['durable creates, 32 clients', 'perSecond', 3_638],
  ['branch create', 'micros', 94],
  ['diff of 2,000 changes', 'micros', 42_000],
  ['bulk load, nodes', 'perSecond', 14_743],
  ['size on disk', 'bytes', 195e6],
];
