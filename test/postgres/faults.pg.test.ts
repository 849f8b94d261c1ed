import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {openPostgresGraphStore} from '../../src/adapters/postgres/open-postgres-store.ts';
import type {PostgresGraphStore} from '../../src/adapters/postgres/postgres-graph-store.ts';
import {startPostgres, type TestServer} from '../../src/adapters/postgres/postgres-server-harness.ts';
import {refusal} from '../../src/ports/graph-store-contract/world.ts';
import {ALL_KINDS, chosen, freshId, MAIN, putKinds, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import {interrupting} from './interrupting-proxy.ts';

describe('a database that goes away', () => {
  let server: TestServer;
  let store: PostgresGraphStore;
  beforeAll(async () => {
    server = await startPostgres();
    store = await openPostgresGraphStore({
      url: server.urlOf('postgres'),
      clock: systemClock,
      reconnectMillisMax: 15_000,
    });
    await putKinds(store, MAIN, ...ALL_KINDS);
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  const create = async (name: string, on = store) => {
    const id = freshId();
    await on.write(MAIN, SERVICE, draft => draft.create({id, kind: 'TestTag', attributes: chosen({name})}));
    return id;
  };
  const count = async (on = store) =>
    (await (await on.snapshot({branch: MAIN})).query({kind: 'TestTag', count: true, nodes: false})).count;

  test('is found again by reads and writes once it is back, without a restart of ours', async () => {
    await create('before');
    await server.kill();
    const waiting = create('meanwhile');
    await server.start();
    await waiting;
    await create('after');
    expect(await count()).toBe(3);
    expect((await store.verify()).problems).toEqual([]);
  });

  test('refuses in a sentence, and says when to come back, while it is away', async () => {
    const hasty = await openPostgresGraphStore({
      url: server.urlOf('postgres'),
      clock: systemClock,
      reconnectMillisMax: 50,
    });
    await server.kill();
    try {
      await expect(create('refused', hasty)).rejects.toMatchObject(refusal('UNAVAILABLE'));
      await expect(count(hasty)).rejects.toMatchObject(refusal('UNAVAILABLE'));
      await expect(hasty.check()).rejects.toMatchObject(refusal('UNAVAILABLE'));
      await expect(hasty.checkChannel()).rejects.toMatchObject(refusal('UNAVAILABLE'));
    } finally {
      await server.start();
    }
    expect(await count(hasty)).toBe(3);
    await create('accepted', hasty);
    expect(await count(hasty)).toBe(4);
    await hasty.close();
    // The other server hears of it once its channel is back.
    await expect.poll(() => count()).toBe(4);
  });

  test('that breaks off in the middle of a write has none of it', async () => {
    const before = await count();
    await expect(
      store.write(MAIN, SERVICE, async draft => {
        await draft.create({id: freshId(), kind: 'TestTag', attributes: chosen({name: 'half'})});
        await draft.query({kind: 'TestTag'});
        await server.kill();
        await server.start();
        await draft.query({kind: 'TestTag'});
      }),
    ).rejects.toMatchObject(refusal('UNAVAILABLE'));
    expect(await count()).toBe(before);
    await create('half');
  });

  test('and whose answer to a commit is lost is asked whether it is there', async () => {
    const proxy = await interrupting(server.port);
    const remote = await openPostgresGraphStore({
      url: server.urlOf('postgres').replace(String(server.port), String(proxy.port)),
      clock: systemClock,
      reconnectMillisMax: 15_000,
    });
    const before = (await count(remote))!;
    // The commit arrives, and its answer does not.
    proxy.dropAnswersAfter('COMMIT');
    await create('unanswered', remote);
    expect(await count(remote)).toBe(before + 1);
    // Neither the commit nor its answer arrives.
    proxy.dropRequestsFrom('COMMIT');
    await expect(create('unsent', remote)).rejects.toMatchObject(refusal('UNAVAILABLE'));
    expect(await count(remote)).toBe(before + 1);
    await create('unsent', remote);
    await remote.close();
    await proxy.close();
  });

  test('loses nothing when only its announcements stop', async () => {
    const other = await openPostgresGraphStore({url: server.urlOf('postgres'), clock: systemClock});
    const proxy = await interrupting(server.port);
    const deaf = await openPostgresGraphStore({
      url: server.urlOf('postgres').replace(String(server.port), String(proxy.port)),
      clock: systemClock,
    });
    proxy.dropConnectionsThatSaid('LISTEN');
    await expect
      .poll(() =>
        deaf.checkChannel().then(
          () => 'heard',
          () => 'deaf',
        ),
      )
      .toBe('deaf');
    for (let round = 0; round < 3; round += 1) {
      const before = (await count(deaf))!;
      await create(`unheard-${round}`, other);
      expect(await count(deaf)).toBe(before + 1);
    }
    proxy.allowAll();
    await expect
      .poll(() =>
        deaf.checkChannel().then(
          () => 'heard',
          () => 'deaf',
        ),
      )
      .toBe('heard');
    await deaf.close();
    await other.close();
    await proxy.close();
  });
});
