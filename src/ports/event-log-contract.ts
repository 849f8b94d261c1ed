import {describe, expect, test} from 'vitest';
import type {BranchName} from '../domain/branch/branch.ts';
import {comparePlaces, type EventPlace, placeAfter} from '../domain/event/event-place.ts';
import type {GraphEvent} from '../domain/event/graph-event.ts';
import type {EventLog, EventsRequest} from './event-log.ts';
import type {GraphStore} from './graph-store.ts';
import {type StoreHarness, World} from './graph-store-contract/world.ts';
import {
  branchName,
  chosen,
  freshId,
  LATE_COLOR,
  MAIN,
  numberedId,
  putKinds,
  SERVICE,
} from './graph-store-fixtures.ts';
import type {MergeStore} from './merge-store.ts';

/** How a backend offers its log beside its graph. */
export interface EventLogHarness extends StoreHarness {
  partsOf(store: GraphStore): {readonly events: EventLog; readonly merges: MergeStore};
}

/** What every backend of the event log does. */
export function eventLogContract(name: string, harness: EventLogHarness): void {
  const scenario = (title: string, body: (world: Told) => Promise<void>) =>
    test(title, async () => {
      const world = new Told(await World.open(harness), harness);
      await world.catchUp();
      await body(world);
      expect((await world.world.store.verify()).problems).toEqual([]);
      await world.world.store.close();
    });

  describe(`${name}: event-log contract`, () => {
    scenario('an object is told of when it is created, updated and deleted, in that order', async told => {
      const {world} = told;
      const id = await world.create('TestTag', {name: 'a'});
      await world.set(id, {name: 'b'});
      await world.delete(id);
      expect(await told.news()).toEqual([
        `node.created TestTag ${id} name:null>a`,
        `node.updated TestTag ${id} name:a>b`,
        `node.deleted TestTag ${id} name:b>null`,
      ]);
    });

    scenario('a write that changes nothing, and one that fails, are not told of', async told => {
      const {world} = told;
      const id = await world.create('TestTag', {name: 'a'});
      await told.news();
      await world.set(id, {name: 'a'});
      await expect(world.create('TestTag', {name: 'a'})).rejects.toThrow();
      expect(await told.news()).toEqual([]);
    });

    scenario('both ends of an edge are told of', async told => {
      const {world} = told;
      const site = await world.create('TestSite', {name: 's'});
      const device = await world.create('TestDevice', {name: 'd'});
      await told.news();
      await world.link(device, 'site', site);
      expect((await told.news()).toSorted()).toEqual(
        [
          `node.updated TestDevice ${device} site+${site}`,
          `node.updated TestSite ${site} devices+${device}`,
        ].sort(),
      );
      await world.unlink(device, 'site', site);
      expect(await told.news()).toContain(`node.updated TestDevice ${device} site-${site}`);
    });

    scenario('what all branches share is told once, whatever branch it was written on', async told => {
      const {world} = told;
      const branch = await world.branch('side');
      await told.news();
      const id = await world.create('TestAccount', {name: 'x', note: 'n'}, {on: branch});
      expect(await told.news()).toEqual([`node.created TestAccount ${id} name:null>x note:null>n`]);
      await world.update(id, chosen({label: 'l', note: 'm'}), branch);
      const [event] = await told.events();
      expect([event?.branch, event?.isShared]).toEqual([branch, true]);
      const elsewhere = await told.log.events({from: told.before, filter: {branch: MAIN}});
      expect(elsewhere.events.map(text)).toEqual([`node.updated TestAccount ${id} label:null>l`]);
    });

    scenario('local data is told of', async told => {
      const {world} = told;
      const id = await world.create('TestArtifact', {name: 'a', checksum: '1'});
      await world.set(id, {checksum: '2'});
      expect((await told.news()).at(-1)).toBe(`node.updated TestArtifact ${id} checksum:1>2`);
    });

    scenario('branches are told of: made, merged with what came of it, rebased, deleted', async told => {
      const {world} = told;
      const tag = await world.create('TestTag', {name: 'a'});
      await told.news();
      const branch = await world.branch('side');
      const other = await world.branch('other');
      expect(await told.news()).toEqual(['branch.created side', 'branch.created other']);
      const added = await world.create('TestTag', {name: 'new'}, {on: branch});
      await world.set(tag, {name: 'main'}, MAIN);
      await told.news();
      await told.merge(branch, async draft => {
        await draft.create({id: added, kind: 'TestTag', attributes: chosen({name: 'new'}), isKnown: true});
      });
      expect(await told.news(true)).toEqual([
        'main branch.merged side',
        `main node.created TestTag ${added} name:null>new`,
        `side node.updated TestTag ${tag} name:a>main`,
      ]);
      await told.merges.combine(other, SERVICE, draft => draft.rebase());
      const rebased = await told.news(true);
      expect(rebased[0]).toBe('other branch.rebased other');
      expect(rebased.slice(1).sort()).toEqual(
        [
          `other node.created TestTag ${added} name:null>new`,
          `other node.updated TestTag ${tag} name:a>main`,
        ].sort(),
      );
      await world.store.deleteBranch(branch, SERVICE);
      expect(await told.news()).toEqual(['branch.deleted side']);
      const all = (await told.all()).map(text);
      expect(all.filter(each => each.startsWith('branch.'))).toEqual([
        'branch.created side',
        'branch.created other',
        'branch.merged side',
        'branch.rebased other',
        'branch.deleted side',
      ]);
    });

    scenario('what a deleted branch did to shared data stays in the log', async told => {
      const {world} = told;
      const branch = await world.branch('gone');
      const id = await world.create('TestAccount', {name: 'kept'}, {on: branch});
      await world.create('TestTag', {name: 'lost'}, {on: branch});
      await world.store.deleteBranch(branch, SERVICE);
      await world.reopen();
      for (let step = 0; step < 50; step += 1) await world.store.write(MAIN, SERVICE, async () => undefined);
      const after = (await new Told(world, harness).all()).map(event => `${event.branch} ${text(event)}`);
      expect(after).toContain(`gone node.created TestAccount ${id} name:null>kept`);
      expect(after).toContain('gone branch.created gone');
      expect(after).toContain('gone branch.deleted gone');
    });

    scenario('a change of the schema is told of', async told => {
      await putKinds(told.world.store, MAIN, LATE_COLOR);
      expect(await told.news()).toEqual(['schema.updated']);
    });

    scenario('an event says who did it', async told => {
      const account = numberedId(9_000);
      await told.world.store.write(MAIN, {account}, draft =>
        draft.create({id: freshId(), kind: 'TestTag', attributes: chosen({name: 'x'})}),
      );
      const [event] = await told.events();
      expect([event?.account, event?.isSystem]).toEqual([account, false]);
      await told.world.create('TestTag', {name: 'y'});
      const [system] = await told.events();
      expect([system?.account, system?.isSystem]).toEqual([null, true]);
    });

    scenario(
      'a large commit is told in bounded stretches, from any of its events on, in both directions',
      async told => {
        const {world} = told;
        const ids = Array.from({length: 1300}, freshId);
        await world.commit(async draft => {
          for (const [index, id] of ids.entries()) {
            await draft.create({id, kind: 'TestTag', attributes: chosen({name: `t${index}`})});
          }
        });
        await world.create('TestTag', {name: 'last'});
        const forward = await told.all();
        expect(forward.map(event => event.nodeId).slice(-1301, -1)).toEqual(ids);
        const backward = await told.all({newestFirst: true});
        expect(backward.toReversed()).toEqual(forward);
        for (const at of [0, 500, 501, 999, 1299]) {
          const from = forward.at(-1301 + at)!.place;
          expect((await told.all({from})).length).toBe(1300 - at);
          expect((await told.all({from, newestFirst: true})).length).toBe(forward.length - 1301 + at);
        }
        const places = forward.map(event => event.place);
        expect(places.toSorted(comparePlaces)).toEqual(places);
      },
    );

    scenario('a filter leaves only what it asks for', async told => {
      const {world} = told;
      const tag = await world.create('TestTag', {name: 'a'});
      await world.create('TestSite', {name: 's'});
      await world.set(tag, {name: 'b'});
      const from = told.before;
      const read = async (filter: EventsRequest['filter']) =>
        (await told.all({from, filter: filter!})).map(event => event.type);
      expect(await read({kinds: new Set(['TestTag'])})).toEqual([
        'service.node.created',
        'service.node.updated',
      ]);
      expect(await read({ids: new Set([tag]), types: new Set(['service.node.updated'])})).toHaveLength(1);
      expect(await read({account: numberedId(1)})).toEqual([]);
      expect(await read({ids: new Set([numberedId(7_777)])})).toEqual([]);
      expect(await read({branch: branchName('nowhere')})).toEqual([]);
    });

    scenario('the events of one object are the same, asked for alone or found among all', async told => {
      const {world} = told;
      const tag = await world.create('TestTag', {name: 'a'});
      const device = await world.create('TestDevice', {name: 'd'}, {links: {tags: tag}});
      const branch = await world.fork('side');
      await world.set(device, {status: 'x'}, branch.name);
      await world.set(device, {status: 'y', role: 'z'}, MAIN);
      await world.unlink(device, 'tags', tag);
      await told.merges.combine(branch.name, SERVICE, draft => draft.rebase());
      await world.commit(async draft => {
        for (let index = 0; index < 600; index += 1) {
          await draft.create({id: freshId(), kind: 'TestTag', attributes: chosen({name: `t${index}`})});
        }
        await draft.delete(tag);
      });
      for (const newestFirst of [false, true]) {
        const all = await told.all({newestFirst});
        for (const id of [tag, device, branch.id]) {
          const own = await told.all({newestFirst, filter: {ids: new Set([id])}});
          expect(own).toEqual(all.filter(event => event.nodeId === id));
          expect(own.length).toBeGreaterThan(1);
        }
      }
    });

    scenario('whoever waits is woken after a commit, and finds it', async told => {
      const {promise, resolve} = Promise.withResolvers<void>();
      const stop = told.log.onCommits(resolve);
      await told.world.create('TestTag', {name: 'a'});
      await promise;
      expect(await told.news()).toHaveLength(1);
      stop();
    });
  });
}

/** A reader that remembers where it is. */
class Told {
  readonly world: World;
  readonly #harness: EventLogHarness;
  /** Where the last reading began. */
  before: EventPlace | undefined;
  #reached: EventPlace | undefined;

  constructor(world: World, harness: EventLogHarness) {
    this.world = world;
    this.#harness = harness;
  }

  get log(): EventLog {
    return this.#harness.partsOf(this.world.store).events;
  }

  get merges(): MergeStore {
    return this.#harness.partsOf(this.world.store).merges;
  }

  async catchUp(): Promise<void> {
    this.#reached = placeAfter(await this.log.eventsUntil());
    this.before = this.#reached;
  }

  async merge(branch: BranchName, body: Parameters<GraphStore['write']>[2]): Promise<void> {
    await this.merges.combine(MAIN, SERVICE, async draft => {
      await body(draft);
      await draft.settle(branch);
    });
  }

  /** What was told since the last time. */
  async events(): Promise<readonly GraphEvent[]> {
    const from = this.#reached;
    const events = await this.all(from === undefined ? {} : {from});
    this.before = from;
    await this.#move();
    return events;
  }

  async news(withBranch = false): Promise<readonly string[]> {
    return (await this.events()).map(event => (withBranch ? `${event.branch} ${text(event)}` : text(event)));
  }

  async all(request: EventsRequest = {}): Promise<readonly GraphEvent[]> {
    const events: GraphEvent[] = [];
    let next: EventsRequest = request;
    for (;;) {
      const read = await this.log.events(next);
      events.push(...read.events);
      if (read.isEnd) return events;
      next = {...request, from: read.reached};
    }
  }

  async #move(): Promise<void> {
    this.#reached = placeAfter(await this.log.eventsUntil());
  }
}

function text({type, kind, nodeId, detail}: GraphEvent): string {
  const short = type.slice('service.'.length);
  if (detail.is === 'branch') return `${short} ${detail.name}`;
  if (detail.is !== 'node') return short;
  const attributes = detail.attributes.map(
    ({name, before, after}) => `${name}:${String(before?.value ?? null)}>${String(after?.value ?? null)}`,
  );
  const edges = detail.edges.map(
    edge => `${edge.relationship}${edge.after === undefined ? '-' : '+'}${edge.peer}`,
  );
  return [short, kind, nodeId, ...attributes, ...edges].join(' ');
}
