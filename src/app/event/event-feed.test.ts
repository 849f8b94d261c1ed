import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {createJsonLog} from '../../adapters/log/pino-log.ts';
import {openSqliteGraphStore} from '../../adapters/sqlite/sqlite-graph-store.ts';
import type {EventPlace} from '../../domain/event/event-place.ts';
import type {GraphEvent} from '../../domain/event/graph-event.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {
  ALL_KINDS,
  chosen,
  freshId,
  MAIN,
  putKinds,
  SERVICE,
  TickingClock,
} from '../../ports/graph-store-fixtures.ts';
import {EventFeed} from './event-feed.ts';
import type {Following} from './following.ts';

const folder = mkdtempSync(join(tmpdir(), 'trellis-feed-'));
const clock = new TickingClock();
const store = await openSqliteGraphStore({folder, clock, readWorkers: 0});
const log = createJsonLog({level: 'ERROR', clock, to: {write: () => undefined}});
await putKinds(store, MAIN, ...ALL_KINDS);

afterAll(async () => {
  await store.close();
  rmSync(folder, {recursive: true, force: true});
});

async function tag(name: string): Promise<NodeId> {
  const id = freshId();
  await store.write(MAIN, SERVICE, draft => draft.create({id, kind: 'TestTag', attributes: chosen({name})}));
  return id;
}

async function take(following: Following, count: number): Promise<readonly GraphEvent[]> {
  const events: GraphEvent[] = [];
  while (events.length < count) events.push(...(await following.next()));
  return events;
}

const ids = (events: readonly GraphEvent[]) => events.map(event => event.nodeId);

test('whoever follows sees what is committed from then on, in order', async () => {
  const feed = new EventFeed(store.events, log);
  await tag('before');
  const following = await feed.follow(undefined);
  const made = [await tag('a1'), await tag('a2'), await tag('a3')];
  expect(ids(await take(following, 3))).toEqual(made);
  following.close();
  await feed.close();
});

test('whoever was away goes on behind the last event they saw', async () => {
  const feed = new EventFeed(store.events, log);
  const first = await feed.follow(undefined);
  await tag('b1');
  const [seen] = await take(first, 1);
  first.close();
  const missed = [await tag('b2'), await tag('b3')];
  const again = await feed.follow(seen!.place);
  const later = await tag('b4');
  expect(ids(await take(again, 3))).toEqual([...missed, later]);
  again.close();
  await feed.close();
});

test('followers that come, go and fall behind all see every event once', async () => {
  const feed = new EventFeed(store.events, log);
  const start = (await store.events.eventsUntil()) + 1;
  const seen: string[][] = [];
  const total = 300;
  const follow = async (patience: number) => {
    const mine: string[] = [];
    seen.push(mine);
    let place: EventPlace = {instant: (start - 1) as never, ordinal: 2 ** 40 - 1};
    while (mine.length < total) {
      const following = await feed.follow(place);
      for (let step = 0; step < patience && mine.length < total; step += 1) {
        const events = await following.next();
        mine.push(...events.map(event => event.nodeId!));
        place = events.at(-1)!.place;
      }
      following.close();
    }
  };
  const followers = [1, 2, 5, 1000].map(follow);
  const made: string[] = [];
  for (let index = 0; index < total; index += 1) made.push(await tag(`c${index}`));
  await Promise.all(followers);
  for (const mine of seen) expect(mine).toEqual(made);
  await feed.close();
});

test('one who waits is let go when they close, and when the feed does', async () => {
  const feed = new EventFeed(store.events, log);
  const [one, other] = [await feed.follow(undefined), await feed.follow(undefined)];
  const waiting = [one.next(), other.next()];
  one.close();
  expect(await waiting[0]).toEqual([]);
  await feed.close();
  expect(await waiting[1]).toEqual([]);
});

test('large events are given a few at a time, and none is lost where they drive others out of memory', async () => {
  const feed = new EventFeed(store.events, log);
  const [quick, slow] = [await feed.follow(undefined), await feed.follow(undefined)];
  const made: string[] = [];
  const large = 'x'.repeat(400_000);
  const ids = Array.from({length: 120}, freshId);
  for (const [index, id] of ids.entries()) {
    await store.write(MAIN, SERVICE, draft =>
      draft.create({id, kind: 'TestSite', attributes: chosen({name: `large-${index}`, city: large})}),
    );
    made.push(id);
    expect((await quick.next()).map(event => event.nodeId)).toEqual([id]);
  }
  const seen: string[] = [];
  while (seen.length < made.length) {
    const events = await slow.next();
    expect(events.length).toBe(1);
    seen.push(...events.map(event => event.nodeId!));
  }
  expect(seen).toEqual(made);
  quick.close();
  slow.close();
  await feed.close();
});
