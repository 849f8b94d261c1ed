import {expect} from 'vitest';
import type {BranchName} from '../../domain/branch/branch.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {ModelView} from '../graph-model/view.ts';
import {GraphModel} from '../graph-model.ts';
import type {Draft, GraphStore, ReadPoint, Snapshot} from '../graph-store.ts';
import type {StoreHarness} from '../graph-store-contract/world.ts';
import {
  ALL_KINDS,
  branchName,
  MAIN,
  numberedId,
  putKinds,
  SERVICE,
  TickingClock,
} from '../graph-store-fixtures.ts';
import {applyPlan, type Choices, type KnownObject} from './apply.ts';
import {answerOf} from './ask.ts';
import {attempt, type Outcome} from './attempt.ts';
import {POPULATION_SIZE, population} from './population.ts';
import type {QueryPlan} from './query-plans.ts';
import {same, sameSnapshots} from './same.ts';
import {type Shown, shownChanges, shownCommits} from './shown.ts';
import type {CommitPlan, Step, TimePick} from './steps.ts';
import {chosenFrom} from './values.ts';

const BRANCH_NAMES = ['one', 'two', 'three', 'four', 'five'].map(branchName);

interface Answered {
  readonly point: {readonly branch: BranchName; readonly at: Instant};
  readonly query: QueryPlan;
  readonly answer: Shown;
}

/** One history, lived by a store and by the model side by side. */
export class History {
  readonly #harness: StoreHarness;
  readonly #clock = new TickingClock();
  readonly #modelClock = new TickingClock();
  readonly #model: GraphModel;
  #store!: GraphStore;
  #lastId = POPULATION_SIZE;
  readonly #instants: Instant[] = [];
  readonly #known = new Map<string, KnownObject>();
  #answers: Answered[] = [];
  #held: {readonly real: Snapshot; readonly model: ModelView}[] = [];

  constructor(harness: StoreHarness) {
    this.#harness = harness;
    this.#modelClock.stepMicros = 0;
    this.#modelClock.micros = 0;
    this.#model = new GraphModel({clock: this.#modelClock, defaultBranch: MAIN});
  }

  async live(steps: readonly Step[]): Promise<void> {
    this.#store = await this.#harness.open({clock: this.#clock});
    try {
      await this.#begin();
      for (const step of steps) await this.#take(step);
      await this.#compareEverything();
      expect((await this.#store.verify()).problems).toEqual([]);
    } finally {
      await this.#store.close();
    }
  }

  async #begin(): Promise<void> {
    this.#instants.push(await this.#both(store => putKinds(store, MAIN, ...ALL_KINDS)));
    for (const body of population) {
      const outcome = await attempt(this.#store, MAIN, body);
      expect(await this.#replay(MAIN, body, outcome)).toEqual(outcome);
    }
  }

  async #take(step: Step): Promise<void> {
    switch (step.step) {
      case 'commit':
        return this.#commit(step.commit);
      case 'together':
        return this.#together(step);
      case 'fork':
        return this.#fork(step);
      case 'deleteBranch':
        return this.#deleteBranch(await this.#branch(step.branch));
      case 'ask': {
        const branch = await this.#branch(step.branch);
        return this.#ask(this.#point(branch, step.at), step.query);
      }
      case 'hold': {
        const real = await this.#store.snapshot(this.#point(await this.#branch(step.branch), step.at));
        const model = await this.#model.snapshot({branch: real.branch, at: real.at});
        this.#held.push({real, model});
        return;
      }
      case 'diff': {
        const branch = await this.#branch(step.branch);
        return this.#diff(branch, this.#instant(step.from), this.#instant(step.to));
      }
      case 'clock':
        this.#clock.micros += step.micros;
        return;
      case 'reopen':
        this.#held = [];
        this.#store = await this.#harness.reopen(this.#store, {clock: this.#clock});
    }
  }

  async #commit(plan: CommitPlan): Promise<void> {
    const {branch, body} = await this.#prepare(plan);
    const outcome = await attempt(this.#store, branch, body);
    expect(await this.#replay(branch, body, outcome)).toEqual(outcome);
  }

  /** Commits that start at once must come out as if they had come one after the other, in the order of their instants. */
  async #together({commits, query}: Step & {step: 'together'}): Promise<void> {
    const writes = await Promise.all(commits.map(plan => this.#prepare(plan)));
    const watched = writes[0]!.branch;
    const [outcomes, seen] = await Promise.all([
      Promise.all(writes.map(({branch, body}) => attempt(this.#store, branch, body))),
      this.#store.snapshot({branch: watched}),
    ]);
    const settled = writes.map((write, index) => ({...write, outcome: outcomes[index]!}));
    const landed = settled
      .filter(write => typeof write.outcome === 'number')
      .toSorted((a, b) => Number(a.outcome) - Number(b.outcome));
    let open = settled.filter(write => typeof write.outcome !== 'number');
    for (const next of [...landed, undefined]) {
      const stillOpen: typeof open = [];
      for (const write of open) {
        const rehearsed = await attempt(this.#model, write.branch, write.body, true);
        if (rehearsed !== write.outcome) stillOpen.push(write);
      }
      open = stillOpen;
      if (next !== undefined)
        expect(await this.#replay(next.branch, next.body, next.outcome)).toEqual(next.outcome);
    }
    expect(open.map(write => write.outcome)).toEqual([]);
    await this.#compareAnswers(seen, query);
  }

  async #fork({origin: pick, name: namePick, at: atPick}: Step & {step: 'fork'}): Promise<void> {
    const origin = await this.#branch(pick);
    const taken = (await this.#model.branches()).map(branch => branch.name);
    const name = chosenFrom(
      BRANCH_NAMES.filter(candidate => !taken.includes(candidate)),
      namePick,
    );
    if (name === undefined) return;
    const at = this.#instant(atPick);
    // A fork from before its origin existed may lie ahead of what the origin itself stands on: no sense in comparing.
    if (at !== undefined && at < (await this.#model.branch(origin)).createdAt) return;
    const request = {name, origin, description: '', syncWithGit: false};
    const branch = await this.#store.createBranch(at === undefined ? request : {...request, at}, SERVICE);
    this.#modelClock.micros = branch.createdAt;
    await this.#model.createBranch({...request, at: branch.forkedAt}, SERVICE);
    if (at !== undefined) expect(branch.forkedAt).toBe(at);
    expect(branch.createdAt).toBeGreaterThan(this.#instants.at(-1)!);
    this.#instants.push(branch.createdAt);
  }

  async #deleteBranch(branch: BranchName): Promise<void> {
    const erase = (store: GraphStore) =>
      store.deleteBranch(branch, SERVICE).then(
        () => 'deleted',
        error => (error instanceof ServiceError ? 'refused' : Promise.reject(error)),
      );
    const outcome = await erase(this.#store);
    expect(outcome).toBe(await erase(this.#model));
    if (outcome !== 'deleted') return;
    this.#answers = this.#answers.filter(answered => answered.point.branch !== branch);
    this.#held = this.#held.filter(held => held.real.branch !== branch);
  }

  async #ask(point: ReadPoint, query: QueryPlan): Promise<void> {
    const real = await this.#store.snapshot(point);
    const answer = await this.#compareAnswers(real, query);
    this.#answers.push({point: {branch: real.branch, at: real.at}, query, answer});
  }

  async #compareAnswers(real: Snapshot, query: QueryPlan): Promise<Shown> {
    const model = await this.#model.snapshot({branch: real.branch, at: real.at});
    const [answer, expected] = [await answerOf(real, query), await answerOf(model, query)];
    same(answer, expected, `${real.branch} at ${real.at}: ${JSON.stringify(query)}`);
    return answer;
  }

  async #diff(branch: BranchName, from: Instant | undefined, to: Instant | undefined): Promise<void> {
    const {createdAt} = await this.#model.branch(branch);
    if ((from ?? createdAt) < createdAt || (to ?? createdAt) < (from ?? createdAt)) return;
    const request = {branch, ...(from === undefined ? {} : {from}), ...(to === undefined ? {} : {to})};
    if (!(await this.#model.isOneSchema(request))) return;
    const [changes, expected] = [await this.#store.diff(request), await this.#model.diff(request)];
    same(shownChanges(changes), shownChanges(expected), `diff ${JSON.stringify(request)}`);
  }

  async #compareEverything(): Promise<void> {
    const branches = await this.#model.branches();
    expect((await this.#store.branches()).map(branch => branch.name).sort()).toEqual(
      branches.map(branch => branch.name).sort(),
    );
    for (const {name: branch, origin, createdAt} of branches) {
      for (const at of [undefined, ...this.#someInstants()]) await this.#compareAll(this.#point(branch, at));
      const commits = {branch, limit: 1000, newestFirst: false, after: this.#instants[0]!};
      const listed = [await this.#store.commits(commits), await this.#model.commits(commits)].map(
        shownCommits,
      );
      same(listed[0], listed[1], `commits of ${branch}`);
      if (origin === undefined) await this.#diff(branch, this.#instants[0], undefined);
      else await this.#diff(branch, undefined, undefined);
      if (origin !== undefined && (await this.#model.isOneSchema({branch: origin, from: createdAt}))) {
        await this.#threeWay(branch);
      }
    }
    for (const {real, model} of this.#held) await sameSnapshots(real, model);
    for (const {point, query, answer} of this.#answers) {
      const again = await answerOf(await this.#store.snapshot(point), query);
      same(again, answer, `asked again, ${JSON.stringify(point)}: ${JSON.stringify(query)}`);
    }
  }

  async #threeWay(branch: BranchName): Promise<void> {
    if (!(await this.#model.isOneSchema({branch}))) return;
    const [answer, expected] = [await this.#store.threeWay(branch), await this.#model.threeWay(branch)];
    const [own, expectedOwn] = [shownChanges(answer.branch), shownChanges(expected.branch)];
    same(own, expectedOwn, `three ways of ${branch}: branch`);
    const ids = new Set(own.map(change => change.id));
    const [origin, expectedOrigin] = [answer.origin, expected.origin].map(changes =>
      shownChanges(changes.filter(change => ids.has(change.id))),
    );
    same(origin, expectedOrigin, `three ways of ${branch}: origin`);
  }

  async #compareAll(point: ReadPoint): Promise<void> {
    const real = await this.#store.snapshot(point);
    await sameSnapshots(real, await this.#model.snapshot({branch: real.branch, at: real.at}));
  }

  async #prepare(plan: CommitPlan): Promise<{branch: BranchName; body: (draft: Draft) => Promise<void>}> {
    const branch = await this.#branch(plan.branch);
    const present = (await this.#model.snapshot({branch})).all().map(node => node.id);
    const fresh = plan.operations.map(() => {
      this.#lastId++;
      return numberedId(this.#lastId);
    });
    const choices: Choices = {present: present.sort(), known: [...this.#known.values()], fresh};
    return {branch, body: draft => applyPlan(draft, plan, choices)};
  }

  async #replay(
    branch: BranchName,
    body: (draft: Draft) => Promise<void>,
    outcome: Outcome,
  ): Promise<Outcome> {
    if (typeof outcome === 'number') {
      expect(outcome).toBeGreaterThan(this.#instants.at(-1) ?? 0);
      this.#modelClock.micros = outcome;
      this.#instants.push(outcome);
    }
    const replayed = await attempt(this.#model, branch, body);
    for (const node of (await this.#model.snapshot({branch})).all()) {
      if (isWhole(node.shape)) this.#known.set(node.id, {id: node.id, kindId: node.shape.id});
    }
    return replayed;
  }

  /** The same writes on both, the model at the instant that the store chose. */
  async #both(work: (store: GraphStore) => Promise<Instant>): Promise<Instant> {
    const instant = await work(this.#store);
    this.#modelClock.micros = instant;
    expect(await work(this.#model)).toBe(instant);
    return instant;
  }

  async #branch(pick: number): Promise<BranchName> {
    return chosenFrom(await this.#model.branches(), pick)!.name;
  }

  #point(branch: BranchName, at: TimePick): ReadPoint {
    const instant = this.#instant(at);
    return instant === undefined ? {branch} : {branch, at: instant};
  }

  /** The instant of a commit, or the last one before it. */
  #instant(pick: TimePick): Instant | undefined {
    if (pick === undefined) return undefined;
    const instant = chosenFrom(this.#instants, pick >> 1)!;
    return (instant - (pick % 2 === 0 || instant === this.#instants[0] ? 0 : 1)) as Instant;
  }

  #someInstants(): readonly number[] {
    const {length} = this.#instants;
    return [length >> 2, length >> 1].map(index => index * 2 + 1);
  }
}

/** True when nothing of an object lives elsewhere: what a part that outlived it should show is open. */
const isWhole = ({scope, attributes}: KindShape): boolean =>
  scope === 'aware' && attributes.every(attribute => attribute.scope !== 'agnostic');
