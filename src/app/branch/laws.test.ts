import fc from 'fast-check';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {must} from '../../base/assert.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {choose, type Side} from '../../domain/merge/conflict.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {type BranchWorld, openBranchWorld} from './branch-fixtures.ts';
import type {CombineOutcome} from './merge-branch.ts';
import {SMALL_NETWORK, type Step, shown, steps, work} from './random-work-fixtures.ts';

/**
 * Every history stands on a branch of its own that plays the part of main, so that one store serves all of them, and
 * nested branches are the normal case.
 */
let world: BranchWorld;
let made = 0;

beforeAll(async () => {
  world = await openBranchWorld(SMALL_NETWORK);
});

afterAll(async () => {
  expect(await world.problems()).toEqual([]);
  await world.close();
});

const RUNS = Number(process.env.LAW_RUNS ?? 25);

function law(title: string, body: (...all: (readonly Step[])[]) => Promise<void>, count: number): void {
  test(title, {timeout: 600_000}, async () => {
    const histories = Array.from({length: count}, () => steps(12));
    await fc.assert(
      fc.asyncProperty(fc.tuple(...histories), async given => body(...given)),
      {numRuns: RUNS},
    );
    expect(await world.problems()).toEqual([]);
  });
}

const fresh = (origin?: BranchName): Promise<BranchName> => {
  made += 1;
  return world.branch(`law-${made}`, origin);
};

async function rooted(base: readonly Step[]): Promise<BranchName> {
  const root = await fresh();
  await work(world, root, base);
  return root;
}

/** Whether it went through; anything but a conflict or a refusal by a rule is a fault. */
const isDone = ({is}: CombineOutcome): boolean => is !== 'conflicted';

describe('diffs', () => {
  law(
    'of a state with itself are empty, and lead from one state to the other and back',
    async (base, more) => {
      const root = await rooted(base);
      const branch = await fresh(root);
      await work(world, branch, more);
      const now = world.store.now();
      expect(await world.store.diff({branch, from: now, to: now})).toEqual([]);
      const changes = await world.store.diff({branch});
      const [before, after] = [await shown(world, root), await shown(world, branch)];
      const ids = new Set([...Object.keys(before as object), ...Object.keys(after as object)]);
      for (const id of ids) {
        const [a, b] = [before, after].map(state => (state as Record<string, Record<string, never>>)[id]);
        const change = changes.find(each => each.id === id);
        if (JSON.stringify(a) === JSON.stringify(b)) {
          expect(change).toBe(undefined);
          continue;
        }
        expect(change?.action).toBe(a === undefined ? 'added' : b === undefined ? 'removed' : 'updated');
        for (const {name, before: old, after: new_} of must(change, 'a change').attributes) {
          expect(old?.value ?? null).toEqual((a?.[name] as {value: unknown} | undefined)?.value ?? null);
          expect(new_?.value ?? null).toEqual((b?.[name] as {value: unknown} | undefined)?.value ?? null);
        }
        for (const {relationship, peer, before: old, after: new_} of must(change, 'a change').edges) {
          expect(old).toEqual((a?.[`~${relationship}`] as Record<string, unknown> | undefined)?.[peer]);
          expect(new_).toEqual((b?.[`~${relationship}`] as Record<string, unknown> | undefined)?.[peer]);
        }
      }
    },
    2,
  );
});

describe('merges', () => {
  law(
    'stay invisible until they happen, then show the branch, and a second one does nothing',
    async (base, more) => {
      const root = await rooted(base);
      const before = await shown(world, root);
      const branch = await fresh(root);
      await work(world, branch, more);
      expect(await shown(world, root)).toEqual(before);
      const rehearsed = await world.merge(branch, true);
      expect(await shown(world, root)).toEqual(before);
      const outcome = await world.merge(branch);
      expect(outcome.is).not.toBe('conflicted');
      expect(rehearsed).toEqual({...outcome, ...(outcome.is === 'done' ? {commit: undefined} : {})});
      expect(await shown(world, root)).toEqual(await shown(world, branch));
      const commits = await world.store.commits({branch: root, limit: 100, newestFirst: true});
      expect(await world.merge(branch)).toEqual({is: 'up-to-date'});
      expect(await world.store.commits({branch: root, limit: 100, newestFirst: true})).toEqual(commits);
      expect(await world.store.diff({branch})).toEqual([]);
    },
    2,
  );

  let commuted = 0;
  law(
    'that do not conflict give the same in either order',
    async (base, left, right) => {
      const root = await rooted(base);
      const results = [];
      for (const order of ['left', 'right'] as const) {
        const copy = await fresh(root);
        const [a, b] = [await fresh(copy), await fresh(copy)];
        await work(world, a, left, 'a');
        await work(world, b, right, 'b');
        const [first, second] = order === 'left' ? [a, b] : [b, a];
        const done = isDone(await tried(first)) && isDone(await tried(second));
        results.push(done ? await shown(world, copy, {by: 'name'}) : undefined);
      }
      expect(results[0]).toEqual(results[1]);
      if (results[0] !== undefined) commuted += 1;
    },
    3,
  );
  test('of which most go through', () => expect(commuted).toBeGreaterThan(RUNS / 4));

  law(
    'are undone by merging their revert',
    async (base, more) => {
      const root = await rooted(base);
      const branch = await fresh(root);
      await work(world, branch, more);
      const before = await shown(world, root);
      const outcome = await world.merge(branch);
      if (outcome.is !== 'done' || outcome.commit === undefined) return;
      made += 1;
      const reverted = await world.revert(root, outcome.commit, `law-${made}`);
      expect(reverted.conflicts).toEqual([]);
      expect(await shown(world, reverted.branch.name)).toEqual(before);
      expect((await world.merge(reverted.branch.name)).is).not.toBe('conflicted');
      expect(await shown(world, root)).toEqual(before);
    },
    2,
  );

  law(
    'after a rebase give what they give without one',
    async (base, ours, theirs) => {
      const root = await rooted(base);
      const results = [];
      for (const way of ['merge', 'rebase'] as const) {
        const copy = await fresh(root);
        const branch = await fresh(copy);
        await work(world, branch, ours, 'a');
        await work(world, copy, theirs, 'b');
        const isRebased = way === 'merge' || isDone(await tried(branch, 'rebase'));
        const done = isRebased && isDone(await tried(branch));
        if (done && way === 'rebase') {
          expect(await shown(world, branch)).toEqual(await shown(world, copy));
        }
        results.push(done ? await shown(world, copy, {by: 'name'}) : undefined);
      }
      expect(results[1]).toEqual(results[0]);
    },
    3,
  );
});

describe('conflicts', () => {
  let decided = 0;
  law(
    'that are all decided for one side leave what the rules allow, the same with a rebase before the merge as without',
    async (base, ours, theirs) => {
      const root = await rooted(base);
      const side = ours.length % 2 === 0 ? 'branch' : 'origin';
      const results = [];
      for (const way of ['merge', 'rebase'] as const) {
        const copy = await fresh(root);
        const branch = await fresh(copy);
        await work(world, branch, ours, 'n');
        await work(world, copy, theirs, 'n');
        const isRebased = way === 'merge' || (await isDecided(branch, 'rebase', side));
        const done = isRebased && (await isDecided(branch, 'merge', side));
        for (const name of [branch, copy]) await expectRules(name);
        if (done && way === 'rebase') {
          expect(await shown(world, branch)).toEqual(await shown(world, copy));
        }
        results.push(done ? await shown(world, copy, {by: 'name'}) : undefined);
      }
      expect(results[1]).toEqual(results[0]);
    },
    3,
  );
  test('are met and decided', async () => {
    const step = (verb: Step['verb'], word: number): Step => ({verb, kind: 'InfraSite', pick: 0, word});
    const root = await rooted([step('create', 1)]);
    const branch = await fresh(root);
    await work(world, branch, [step('value', 1)]);
    await work(world, root, [step('value', 2)]);
    const before = decided;
    expect(await isDecided(branch, 'merge', 'branch')).toBe(true);
    expect(decided).toBe(before + 1);
  });

  /** Whether it went through once each conflict was decided for the side; otherwise a rule has refused it. */
  async function isDecided(branch: BranchName, verb: 'merge' | 'rebase', side: Side): Promise<boolean> {
    for (;;) {
      const outcome = await tried(branch, verb);
      if (outcome.is !== 'conflicted') return true;
      const open = outcome.conflicts.filter(({choice}) => choice === undefined);
      if (open.length === 0) return false;
      for (const conflict of open) await world.store.choose(branch, conflict.id, choose(conflict, side));
      decided += 1;
    }
  }

  /** The names of devices are unique, and a port has a device. */
  async function expectRules(branch: BranchName): Promise<void> {
    const snapshot = await world.store.snapshot({branch});
    const {found} = await snapshot.query({kind: 'InfraPort', page: {limit: 1000, offset: 0}});
    for (const {node} of found) expect(await snapshot.neighbours(node.id, 'device')).toHaveLength(1);
    const devices = await snapshot.query({kind: 'InfraDevice', page: {limit: 1000, offset: 0}});
    const names = devices.found.map(({node}) => node.value('name'));
    expect(new Set(names).size).toBe(names.length);
  }
});

describe('the past', () => {
  law(
    'answers as it did, whatever is merged, rebased, reverted or deleted later',
    async (base, ours, theirs, later) => {
      const root = await rooted(base);
      const branch = await fresh(root);
      const told: {branch: BranchName; at: Instant; state: unknown}[] = [];
      const remember = async () => {
        for (const name of [root, branch]) {
          const at = world.store.now();
          told.push({branch: name, at, state: await shown(world, name)});
        }
      };
      await remember();
      await work(world, branch, ours, 'a');
      await remember();
      await work(world, root, theirs, 'b');
      await remember();
      await tried(branch, 'rebase');
      await remember();
      await work(world, branch, later, 'c');
      await remember();
      await tried(branch);
      await remember();
      await work(world, root, later, 'd');
      const child = await fresh(branch);
      await work(world, child, theirs, 'e');
      await world.store.deleteBranch(child, {account: null});
      for (const {branch: name, at, state} of told) {
        expect(await shown(world, name, {at})).toEqual(state);
      }
    },
    4,
  );
});

/** A merge or rebase; one that a rule refuses counts as one that conflicts. */
async function tried(branch: BranchName, verb: 'merge' | 'rebase' = 'merge'): Promise<CombineOutcome> {
  try {
    return await world[verb](branch);
  } catch (error) {
    if ((error as {code?: string}).code === 'CONSTRAINT_VIOLATION') return {is: 'conflicted', conflicts: []};
    if ((error as {code?: string}).code === 'VALIDATION_ERROR') return {is: 'conflicted', conflicts: []};
    throw error;
  }
}
