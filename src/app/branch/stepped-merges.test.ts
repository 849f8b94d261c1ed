import {copyFileSync, existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import fc from 'fast-check';
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest';
import {openSqliteGraphStore} from '../../adapters/sqlite/sqlite-graph-store.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {TickingClock} from '../../ports/graph-store-fixtures.ts';
import {ADMIN, type BranchWorld, MAIN, openBranchWorld} from './branch-fixtures.ts';
import {type CombineOutcome, mergeBranch, rebaseBranch} from './merge-branch.ts';
import {planned, SMALL_NETWORK, type Step, shown, steps, work} from './random-work-fixtures.ts';

const RUNS = Number(process.env.LAW_RUNS ?? 25);

describe('a merge that lands in steps, while others write', () => {
  /** One that lands in steps, and one that does not, for the same histories. */
  let worlds: readonly [stepped: BranchWorld, whole: BranchWorld];
  let made = 0;

  beforeAll(async () => {
    worlds = [
      await openBranchWorld(SMALL_NETWORK, {inSteps: true, readWorkers: 1}),
      await openBranchWorld(SMALL_NETWORK),
    ];
  });

  afterAll(async () => {
    for (const world of worlds) {
      expect(await world.problems()).toEqual([]);
      await world.close();
    }
  });

  type Verb = 'merge' | 'rebase';

  interface Story {
    readonly world: BranchWorld;
    readonly root: BranchName;
    readonly branch: BranchName;
  }

  async function begin(
    world: BranchWorld,
    base: readonly Step[],
    ours: readonly Step[],
    before: readonly Step[],
  ): Promise<Story> {
    const root = await world.branch(`root-${made}`);
    await work(world, root, base);
    const branch = await world.branch(`branch-${made}`, root);
    await work(world, branch, ours, 'a');
    await work(world, root, before, 'b');
    return {world, root, branch};
  }

  /** What came of something that the rules may refuse. */
  async function outcomeOf(body: () => Promise<unknown>): Promise<string> {
    try {
      await body();
      return 'done';
    } catch (error) {
      if (error instanceof ServiceError) return error.code;
      throw error;
    }
  }

  /**
   * The merge or rebase, and the instant before which others have come first; none when it did not go through, or had
   * nothing to do.
   */
  async function combined({world, branch}: Story, verb: Verb): Promise<Instant | undefined> {
    try {
      const outcome = await world[verb](branch);
      if (outcome.is !== 'done' || outcome.commit === undefined) return undefined;
      return verb === 'merge' ? outcome.commit : (await world.store.branch(branch)).forkedAt;
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  const instantsOf = async ({world, root}: Story): Promise<readonly Instant[]> =>
    (await world.store.commits({branch: root, limit: 100, newestFirst: false})).map(each => each.instant);

  const title = 'leaves what it leaves when they write before it, or after it where they stood in its way';
  test(title, {timeout: 600_000}, async () => {
    let beside = 0;
    const story = fc.tuple(steps(12), steps(12), steps(4), steps(10));
    const verbs = fc.constantFrom<Verb>('merge', 'rebase');
    const property = fc.asyncProperty(verbs, story, async (verb, [base, ours, before, meanwhile]) => {
      made += 1;
      const stepped = await begin(worlds[0], base, ours, before);
      const whole = await begin(worlds[1], base, ours, before);
      const combining = combined(stepped, verb);
      const writes: {readonly step: Step; readonly plannedAt: Instant; readonly made: readonly Instant[]}[] =
        [];
      for (const step of meanwhile) {
        const {at, write} = await planned(stepped.world, stepped.root, step, 'm');
        const known = new Set(await instantsOf(stepped));
        if ((await outcomeOf(write)) !== 'done') continue;
        const now = (await instantsOf(stepped)).filter(instant => !known.has(instant));
        writes.push({step, plannedAt: at, made: now});
      }
      const combinedAt = await combining;
      let isDue = combinedAt !== undefined;
      const combineWhole = async () => {
        isDue = false;
        expect(await combined(whole, verb)).toBeDefined();
      };
      for (const {step, plannedAt, made: instants} of writes) {
        const commit = instants.find(instant => verb === 'rebase' || instant !== combinedAt);
        if (commit === undefined) continue;
        if (isDue && plannedAt >= combinedAt!) await combineWhole();
        const {write} = await planned(whole.world, whole.root, step, 'm');
        if (isDue && commit > combinedAt!) await combineWhole();
        if (isDue) beside += 1;
        expect(await outcomeOf(write)).toBe('done');
      }
      if (isDue) await combineWhole();
      for (const name of ['root', 'branch'] as const) {
        const [one, other] = [stepped, whole].map(each => shown(each.world, each[name], {by: 'name'}));
        expect(await one).toEqual(await other);
      }
    });
    await fc.assert(property, {numRuns: RUNS});
    expect(beside).toBeGreaterThan(0);
    for (const world of worlds) expect(await world.problems()).toEqual([]);
  });
});

describe('a merge that lands in steps', () => {
  const opened: BranchWorld[] = [];
  afterEach(async () => {
    for (const world of opened.splice(0)) {
      expect(await world.problems()).toEqual([]);
      await world.close();
    }
  });

  async function open(options: Parameters<typeof openBranchWorld>[1] = {}): Promise<BranchWorld> {
    const world = await openBranchWorld(SMALL_NETWORK, {inSteps: true, ...options});
    opened.push(world);
    return world;
  }

  /** A world, and a merge in it of which a step has landed. */
  async function openWatched() {
    let landed = Promise.withResolvers<void>();
    const world = await open({committed: () => landed.resolve()});
    const underway = async (
      branch: BranchName,
      verb: 'merge' | 'rebase' = 'merge',
    ): Promise<{readonly commit: Promise<Instant>}> => {
      landed = Promise.withResolvers<void>();
      const merging = world[verb](branch);
      await landed.promise;
      const commit = async () => ((await merging) as Extract<CombineOutcome, {is: 'done'}>).commit!;
      return {commit: commit()};
    };
    return {world, underway};
  }

  /** Devices on main, and a branch that changes all of them and adds one at a site. */
  async function twoSides(world: BranchWorld) {
    const site = await world.main.create('InfraSite', {name: 'site'});
    const devices: NodeId[] = [];
    for (let index = 0; index < 6; index += 1)
      devices.push(
        await world.main.create('InfraDevice', {name: `d${index}`, role: 'leaf'}, {site: {id: site}}),
      );
    const other = await world.main.create('InfraDevice', {name: 'other'});
    const branch = await world.branch('feature');
    const there = world.on(branch);
    for (const id of devices) await there.set(id, 'InfraDevice', {role: 'spine'});
    await there.set(devices[0]!, 'InfraDevice', {}, {site: null, friends: [{id: other}]});
    await there.remove(devices[5]!, 'InfraDevice');
    const added = await there.create('InfraDevice', {name: 'added'}, {site: {id: site}});
    return {site, devices, other, branch, added};
  }

  test('shows nothing to anybody before its end, and everything then', async () => {
    const world = await open({readWorkers: 1});
    const {branch} = await twoSides(world);
    const before = await shown(world, MAIN);
    const ofBranch = await shown(world, branch);
    let isOver = false;
    const merging = world.merge(branch).finally(() => {
      isOver = true;
    });
    let looks = 0;
    while (!isOver) {
      await nextTurn();
      const [main, there] = [await shown(world, MAIN), await shown(world, branch)];
      if (isOver) break;
      expect(main).toEqual(before);
      expect(there).toEqual(ofBranch);
      looks += 1;
    }
    expect(await merging).toMatchObject({is: 'done'});
    expect(looks).toBeGreaterThan(0);
    expect(await shown(world, MAIN)).toEqual(ofBranch);
    expect(await shown(world, branch)).toEqual(ofBranch);
  });

  test('lets others write what it does not, and lies after them', async () => {
    const world = await open();
    const {branch, other, devices, site} = await twoSides(world);
    const merging = world.merge(branch);
    const writes = [];
    for (let round = 0; round < 10; round += 1) {
      writes.push((await world.main.set(other, 'InfraDevice', {role: `r${round}`})).commit!);
      writes.push((await world.main.set(site, 'InfraSite', {city: `c${round}`})).commit!);
    }
    const outcome = (await merging) as Extract<CombineOutcome, {is: 'done'}>;
    const before = writes.filter(instant => instant < outcome.commit!);
    expect(before.length).toBeGreaterThan(2);
    expect(await world.main.value(other, 'role')).toBe('r9');
    expect(await world.main.value(devices[1]!, 'role')).toBe('spine');
    const atWrite = await world.store.snapshot({branch: MAIN, at: before.at(-1)!});
    expect((await atWrite.node(devices[1]!))?.value('role')).toBe('leaf');
  });

  test('is waited for by those who write the same objects, or remove what it needs', async () => {
    const {world, underway} = await openWatched();
    const {branch, devices, site} = await twoSides(world);
    const first = await underway(branch);
    const ours = await world.main.set(devices[1]!, 'InfraDevice', {note: 'after'});
    expect(ours.commit).toBeGreaterThan(await first.commit);
    expect(await world.main.value(devices[1]!, 'role')).toBe('spine');
    expect(await world.main.value(devices[1]!, 'note')).toBe('after');
    const again = await world.branch('again');
    for (const name of ['one', 'two'])
      await world.on(again).create('InfraDevice', {name}, {site: {id: site}});
    const second = await underway(again);
    const removed = await world.main.remove(site, 'InfraSite');
    expect(removed.commit).toBeGreaterThan(await second.commit);
  });

  test('is waited for by those who write to the branch that is merged, or delete it', async () => {
    const {world, underway} = await openWatched();
    const {branch, devices} = await twoSides(world);
    const first = await underway(branch);
    const late = await world.on(branch).set(devices[2]!, 'InfraDevice', {role: 'late'});
    expect(late.commit).toBeGreaterThan(await first.commit);
    expect(await world.main.value(devices[2]!, 'role')).toBe('spine');
    expect(await world.on(branch).value(devices[2]!, 'role')).toBe('late');
    const second = await underway(branch);
    await world.store.deleteBranch(branch, {account: null});
    await second.commit;
    expect(await world.main.value(devices[2]!, 'role')).toBe('late');
  });

  test('is waited for by a change of the schema', async () => {
    const {world, underway} = await openWatched();
    const {branch, devices} = await twoSides(world);
    const {commit} = await underway(branch);
    const [site, device, port] = SMALL_NETWORK.nodes;
    const attributes = [...device!.attributes, {name: 'rack', kind: 'Text', default_value: 'here'}];
    await world.load(MAIN, {...SMALL_NETWORK, nodes: [site, {...device, attributes}, port]});
    await commit;
    expect(await world.main.value(devices[1]!, 'rack')).toBe('here');
    expect(await world.main.value(devices[1]!, 'role')).toBe('spine');
  });

  test('is a rebase as well, which others write beside, and which sees what was there before it', async () => {
    const {world, underway} = await openWatched();
    const {branch, devices, other} = await twoSides(world);
    await world.main.set(devices[3]!, 'InfraDevice', {note: 'before'});
    const {commit} = await underway(branch, 'rebase');
    const beside = await world.main.set(devices[4]!, 'InfraDevice', {note: 'meanwhile'});
    const late = await world.on(branch).set(other, 'InfraDevice', {role: 'late'});
    expect(beside.commit).toBeLessThan(await commit);
    expect(late.commit).toBeGreaterThan(await commit);
    const there = world.on(branch);
    expect(await there.value(devices[3]!, 'note')).toBe('before');
    expect(await there.value(devices[3]!, 'role')).toBe('spine');
    expect(await there.value(devices[4]!, 'note')).toBe('none');
    expect(await world.merge(branch)).toMatchObject({is: 'done'});
    expect(await world.main.value(devices[4]!, 'note')).toBe('meanwhile');
    expect(await world.main.value(devices[4]!, 'role')).toBe('spine');
  });

  test('is taken back whole when a unique value turns out to be taken meanwhile', async () => {
    const world = await open();
    const {branch, other, devices} = await twoSides(world);
    await world.main.set(other, 'InfraDevice', {role: 'before'});
    const before = await shown(world, MAIN);
    const ofBranch = await shown(world, branch);
    const merging = world.merge(branch);
    const rival = await world.main.create('InfraDevice', {name: 'added'});
    expect(await merging).toMatchObject({is: 'conflicted'});
    await world.main.remove(rival, 'InfraDevice');
    expect(await shown(world, MAIN)).toEqual(before);
    expect(await shown(world, branch)).toEqual(ofBranch);
    expect(await world.problems()).toEqual([]);
    expect(await world.merge(branch)).toMatchObject({is: 'done'});
    expect(await world.main.value(devices[1]!, 'role')).toBe('spine');
  });

  test('of two at the same moment one comes after the other', async () => {
    const world = await open();
    const {branch, other} = await twoSides(world);
    const second = await world.branch('second');
    await world.on(second).set(other, 'InfraDevice', {role: 'second'});
    const outcomes = await Promise.all([world.merge(branch), world.merge(second), world.merge(branch)]);
    expect(outcomes.map(({is}) => is)).toEqual(['done', 'done', 'up-to-date']);
    expect(await world.main.value(other, 'role')).toBe('second');
  });

  test('is rehearsed without a trace', async () => {
    const world = await open();
    const {branch} = await twoSides(world);
    const before = await shown(world, MAIN);
    expect(await mergeBranch(world.deps, ADMIN, {branch, isDryRun: true})).toMatchObject({is: 'done'});
    expect(await shown(world, MAIN)).toEqual(before);
  });

  test.each(['merge', 'rebase'] as const)(
    'leaves nothing of a %s behind, wherever the process is killed',
    {timeout: 600_000},
    async verb => {
      const copies: string[] = [];
      let isCopying = false;
      const world = await open({
        committed: folder => {
          if (!isCopying) return;
          const copy = mkdtempSync(join(tmpdir(), 'trellis-killed-'));
          copies.push(copy);
          for (const file of ['trellis.db', 'trellis.db-wal'])
            if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(copy, file));
        },
      });
      const {branch, devices} = await twoSides(world);
      await world.main.set(devices[3]!, 'InfraDevice', {note: 'more'});
      await world.main.set(devices[4]!, 'InfraDevice', {name: 'renamed'});
      const states = [await shown(world, MAIN), await shown(world, branch)];
      isCopying = true;
      expect(await world[verb](branch)).toMatchObject({is: 'done'});
      isCopying = false;
      const after = [await shown(world, MAIN), await shown(world, branch)];
      expect(copies.length).toBeGreaterThan(5);
      for (const [place, folder] of copies.entries()) {
        const store = await openSqliteGraphStore({folder, clock: new TickingClock(), readWorkers: 0});
        const found = {...world, store, deps: {...world.deps, store, merges: store}};
        const expected = place === copies.length - 1 ? after : states;
        expect([await shown(found, MAIN), await shown(found, branch)]).toEqual(expected);
        expect((await store.verify()).problems).toEqual([]);
        if (expected === states) {
          const again = verb === 'merge' ? mergeBranch : rebaseBranch;
          expect(await again(found.deps, ADMIN, {branch})).toMatchObject({is: 'done'});
          expect([await shown(found, MAIN), await shown(found, branch)]).toEqual(after);
          expect((await store.verify()).problems).toEqual([]);
        }
        await store.close();
        rmSync(folder, {recursive: true, force: true});
      }
    },
  );
});
