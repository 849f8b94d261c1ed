import fc from 'fast-check';
import {type QueryPlan, queryPlans} from './query-plans.ts';

/**
 * A history as data. A pick is any number: it chooses among what is there when the step runs, so that a history
 * stays meaningful when steps before it are taken away, and shrinks to the few that matter.
 */
export type Pick = number;

export type Operation =
  | {
      readonly op: 'create';
      readonly kind: Pick;
      readonly values: readonly Pick[];
      readonly peers: readonly Pick[];
    }
  | {readonly op: 'update'; readonly node: Pick; readonly writes: readonly WritePlan[]}
  | {readonly op: 'delete'; readonly node: Pick}
  | {readonly op: 'revive'; readonly node: Pick}
  | {
      readonly op: 'link';
      readonly node: Pick;
      readonly relationship: Pick;
      readonly peer: Pick;
      readonly properties: Pick;
    }
  | {readonly op: 'unlink'; readonly node: Pick; readonly relationship: Pick; readonly peer: Pick}
  | {readonly op: 'reshape'; readonly kind: Pick; readonly edit: Pick; readonly detail: Pick};

export interface WritePlan {
  readonly attribute: Pick;
  readonly value: Pick;
  /** What else is said of the attribute; see `metadataOf`. */
  readonly metadata: Pick;
}

export interface CommitPlan {
  readonly branch: Pick;
  readonly operations: readonly Operation[];
  readonly isGivenUp: boolean;
}

/** Absent: now. */
export type TimePick = Pick | undefined;

export type Step =
  | {readonly step: 'commit'; readonly commit: CommitPlan}
  | {readonly step: 'together'; readonly commits: readonly CommitPlan[]; readonly query: QueryPlan}
  | {readonly step: 'fork'; readonly origin: Pick; readonly name: Pick; readonly at: TimePick}
  | {readonly step: 'deleteBranch'; readonly branch: Pick}
  | {readonly step: 'ask'; readonly branch: Pick; readonly at: TimePick; readonly query: QueryPlan}
  | {readonly step: 'hold'; readonly branch: Pick; readonly at: TimePick}
  | {readonly step: 'diff'; readonly branch: Pick; readonly from: TimePick; readonly to: TimePick}
  | {readonly step: 'clock'; readonly micros: number}
  | {readonly step: 'reopen'};

const pick = fc.nat({max: 999});
const sometimes = fc.option(pick, {nil: undefined, freq: 2});

const write = fc.record({attribute: pick, value: pick, metadata: pick});

const create = fc.record({
  op: fc.constant('create' as const),
  kind: pick,
  values: fc.array(pick, {minLength: 1, maxLength: 5}),
  peers: fc.array(pick, {maxLength: 2}),
});
const update = fc.record({
  op: fc.constant('update' as const),
  node: pick,
  writes: fc.array(write, {minLength: 1, maxLength: 3}),
});
const remove = fc.record({op: fc.constant('delete' as const), node: pick});
const revive = fc.record({op: fc.constant('revive' as const), node: pick});
const link = fc.record({
  op: fc.constant('link' as const),
  node: pick,
  relationship: pick,
  peer: pick,
  properties: pick,
});
const unlink = fc.record({op: fc.constant('unlink' as const), node: pick, relationship: pick, peer: pick});
const reshape = fc.record({op: fc.constant('reshape' as const), kind: pick, edit: pick, detail: pick});

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {weight: 10, arbitrary: create},
  {weight: 8, arbitrary: update},
  {weight: 8, arbitrary: link},
  {weight: 3, arbitrary: unlink},
  {weight: 3, arbitrary: remove},
  {weight: 1, arbitrary: revive},
  {weight: 4, arbitrary: reshape},
);

const commit: fc.Arbitrary<CommitPlan> = fc.record({
  branch: pick,
  operations: fc.array(operation, {minLength: 1, maxLength: 4}),
  isGivenUp: fc.nat({max: 19}).map(number => number === 19),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {weight: 30, arbitrary: fc.record({step: fc.constant('commit' as const), commit})},
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('together' as const),
      commits: fc.array(commit, {minLength: 2, maxLength: 5}),
      query: queryPlans,
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({step: fc.constant('fork' as const), origin: pick, name: pick, at: sometimes}),
  },
  {weight: 1, arbitrary: fc.record({step: fc.constant('deleteBranch' as const), branch: pick})},
  {
    weight: 12,
    arbitrary: fc.record({step: fc.constant('ask' as const), branch: pick, at: sometimes, query: queryPlans}),
  },
  {weight: 1, arbitrary: fc.record({step: fc.constant('hold' as const), branch: pick, at: sometimes})},
  {
    weight: 3,
    arbitrary: fc.record({step: fc.constant('diff' as const), branch: pick, from: sometimes, to: sometimes}),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      step: fc.constant('clock' as const),
      micros: fc.constantFrom(-3_600_000_000, -500, 0, 60_000_000),
    }),
  },
  {weight: 1, arbitrary: fc.constant({step: 'reopen'} as const)},
);

export const histories = (stepsMax: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(step, {minLength: stepsMax >> 1, maxLength: stepsMax, size: 'max'});
