import {describe, expect, test} from 'vitest';
import type {Json} from '../../base/json.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Condition, Test} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Draft} from '../../ports/graph-store.ts';
import {scenarioOn, valuesOf, World} from '../../ports/graph-store-contract/world.ts';
import {
  chosen,
  DEVICE,
  freshId,
  INTERFACE,
  MAIN,
  putKinds,
  reshaped,
  SERVER,
  SERVICE,
} from '../../ports/graph-store-fixtures.ts';
import {read} from '../sql/statement.ts';
import type {SqliteGraphStore} from './sqlite-graph-store.ts';
import {sqliteHarness} from './sqlite-harness.ts';

const harness = sqliteHarness(0);
const scenario = scenarioOn(harness);

const HOUR_MICROS = 3_600_000_000;

const on = (attribute: string, test: Test): Condition => ({
  is: 'attribute',
  attribute,
  property: 'value',
  test,
});

const countOf = (world: World, sql: string): number =>
  Number((world.store as SqliteGraphStore).writer.run(read(sql, []))[0]![0]);

/** A deleted branch goes in steps of the write queue; a reopened store has finished or takes them up again. */
async function purged(world: World): Promise<void> {
  while (countOf(world, 'SELECT count(*) FROM branch WHERE deleted > 0 AND purged = 0') > 0) {
    await world.store.write(MAIN, SERVICE, async () => undefined);
  }
}

describe('a deleted branch', () => {
  scenario('leaves its number and the numbers of its versions to nobody', async world => {
    const first = await world.branch('first');
    const id = await world.create('TestTag', {name: 'red'}, {on: first});
    const {version} = await world.get(id, first);
    await world.store.deleteBranch(first, SERVICE);
    await purged(world);
    await world.reopen();
    const second = await world.branch('second');
    const other = await world.create('TestTag', {name: 'blue'}, {on: second});
    expect(Number((await world.get(other, second)).version)).toBeGreaterThan(Number(version));
    expect(await world.node(id, second)).toBe(undefined);
    expect(countOf(world, 'SELECT max(id) FROM branch')).toBe(4);
  });

  scenario('leaves what it wrote for all branches, with its past', async world => {
    const branch = await world.branch('feature');
    const account = await world.create('TestAccount', {name: 'ada'});
    const before = world.store.now();
    await world.set(account, {name: 'bob'}, branch);
    const made = await world.create('TestAccount', {name: 'cyd'}, {on: branch});
    await world.store.deleteBranch(branch, SERVICE);
    await purged(world);
    await world.reopen();
    expect(await world.list({kind: 'TestAccount'})).toEqual(['bob', 'cyd']);
    expect(await world.list({kind: 'TestAccount'}, {branch: MAIN, at: before})).toEqual(['ada']);
    expect(await world.value(made, 'name')).toBe('cyd');
  });

  scenario('leaves the word of who ended what all branches share', async world => {
    const branch = await world.branch('feature');
    const account = await world.create('TestAccount', {name: 'ada'});
    const removed = await world.delete(account, branch);
    await world.store.deleteBranch(branch, SERVICE);
    await purged(world);
    expect([...(await world.store.authors([removed!])).keys()]).toEqual([removed]);
  });

  scenario('never lets an instant be given twice', async world => {
    const branch = await world.branch('feature');
    const last = (await world.set(
      await world.create('TestTag', {name: 'a'}, {on: branch}),
      {name: 'b'},
      branch,
    ))!;
    await world.store.deleteBranch(branch, SERVICE);
    await purged(world);
    world.clock.micros -= HOUR_MICROS;
    await world.reopen();
    const id = await world.create('TestTag', {name: 'c'});
    expect((await world.get(id)).createdAt).toBeGreaterThan(last);
  });
});

describe('unique keys', () => {
  scenario('a link that is there already leaves no version behind', async world => {
    const site = await world.create('TestSite', {name: 'bern'});
    const rack = await world.create('TestRack', {name: 'r1'}, {links: {site}});
    const branch = await world.branch('feature');
    expect(await world.link(rack, 'site', site, {on: branch})).toBe(undefined);
    expect(
      countOf(world, `SELECT count(*) FROM ver WHERE node = (SELECT id FROM node WHERE uuid = '${rack}')`),
    ).toBe(1);
  });

  scenario('a kind that a branch frees from a shared constraint binds no other kind there', async world => {
    const device = await world.create('TestDevice', {name: 'd'});
    await world.create('TestInterface', {name: 'eth0'}, {links: {device}});
    const branch = await world.branch('feature');
    await putKinds(world.store, branch, reshaped(INTERFACE, {unique: []}));
    const console_ = await world.create('TestConsole', {name: 'eth0'}, {on: branch, links: {device}});
    expect(await world.value(console_, 'name', branch)).toBe('eth0');
    await expect(
      world.create('TestConsole', {name: 'eth0'}, {on: branch, links: {device}}),
    ).rejects.toMatchObject({code: 'CONSTRAINT_VIOLATION'});
  });
});

describe('levels', () => {
  scenario('descendants are as deep as asked, also when ancestors stand in the same list', async world => {
    const top = await world.create('TestRegion', {name: 'a'});
    const middle = await world.create('TestRegion', {name: 'b'}, {links: {parent: top}});
    const low = await world.create('TestRegion', {name: 'c'}, {links: {parent: middle}});
    await world.create('TestSite', {name: 'deep'}, {links: {region: low}});
    const page = await world.query({
      kind: 'TestRegion',
      include: [{relationship: 'sites', ofDescendants: {depthMax: 1}}],
    });
    expect(page.found.map(found => valuesOf(found.included[0]!))).toEqual([[], ['deep'], ['deep']]);
  });

  scenario('an object that is its own peer is not among those it reaches', async world => {
    const ada = await world.create('TestAccount', {name: 'ada'});
    await world.link(ada, 'manager', ada);
    const asked = (transitive?: {depthMax: number}) =>
      world.query({
        kind: 'TestAccount',
        include: [{relationship: 'reports', ...(transitive === undefined ? {} : {transitive})}],
      });
    expect((await asked({depthMax: 3})).found[0]!.included[0]!.found).toEqual([]);
    expect(valuesOf((await asked()).found[0]!.included[0]!)).toEqual(['ada']);
  });
});

describe('values', () => {
  scenario('zero, false and a text that looks like JSON are told apart in a document', async world => {
    const facts: Record<string, Json> = {zero: 0, no: false, text: '{"a":1}', object: {a: 1}};
    for (const [name, value] of Object.entries(facts)) await world.create('TestSite', {name, facts: value});
    for (const [name, value] of Object.entries(facts)) {
      expect(await world.list({kind: 'TestSite', where: on('facts', {op: 'in', values: [value]})})).toEqual([
        name,
      ]);
    }
  });

  scenario('long texts that begin alike are still compared to their end', async world => {
    const long = 'x'.repeat(230);
    for (const end of ['a', 'm', 'z', `m${'y'.repeat(80)}`])
      await world.create('TestDevice', {name: long + end});
    const where = on('name', {op: 'greater', value: `${long}m`});
    const found = await world.list({kind: 'TestDevice', where});
    expect(found.map(name => String(name).slice(230, 232)).sort()).toEqual(['my', 'z']);
    expect(
      await world.list({kind: 'TestDevice', where: on('name', {op: 'lessOrEqual', value: `${long}m`})}),
    ).toHaveLength(2);
  });
});

describe('instants', () => {
  scenario('the future reads as now, and holds up no commit', async world => {
    const id = await world.create('TestTag', {name: 'a'});
    const future = (world.clock.micros + 1000 * HOUR_MICROS) as Instant;
    const snapshot = await world.store.snapshot({branch: MAIN, at: future});
    expect(snapshot.at).toBeLessThan(future);
    expect(await world.set(id, {name: 'b'})).toBeLessThan(future);
    expect((await snapshot.node(id))?.value('name')).toBe('a');
  });

  scenario('a read at an instant sees the commits under way that fall before it', async world => {
    const id = await world.create('TestTag', {name: 'a'});
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const writing = world.store.write(MAIN, SERVICE, async draft => {
      await draft.update(id, chosen({name: 'b'}));
      entered.resolve();
      await leave.promise;
    });
    await entered.promise;
    const at = world.store.now();
    const reading = world.value(id, 'name', {branch: MAIN, at});
    leave.resolve();
    expect((await writing).commit).toBeLessThan(at);
    expect(await reading).toBe('b');
  });
});

test('a draft that outlives its body writes nothing into the commits of others', async () => {
  const world = await World.open(harness);
  let kept: Draft | undefined;
  await world.store.write(MAIN, SERVICE, async draft => {
    kept = draft;
  });
  await expect(kept!.create({id: freshId(), kind: 'TestTag', attributes: {}})).rejects.toThrow(
    'until its body ends',
  );
  expect(await world.list({kind: 'TestTag'})).toEqual([]);
  await world.store.close();
});

describe('a read worker', () => {
  scenarioOn(sqliteHarness(1))('finds objects by an order that came after it had started', async world => {
    for (const name of ['a', 'b']) await world.create('TestServer', {name, cores: name === 'a' ? 2 : 1});
    const list = () => world.list({kind: 'TestServer', count: true});
    expect(await list()).toEqual(['a', 'b']);
    const orderBy = [{attribute: 'cores', property: 'value'}];
    await putKinds(world.store, MAIN, reshaped(SERVER, {orderBy}));
    expect(await list()).toEqual(['b', 'a']);
  });
});

describe('conditions over several relationships', () => {
  const throughRelated = (relationships: readonly string[], inner: Condition): Condition =>
    relationships.reduceRight<Condition>(
      (where, relationship) => ({is: 'related', relationship, where}),
      inner,
    );

  scenario('fit into a statement however deep the branch and the condition are', async world => {
    const site = await world.create('TestSite', {name: 'ams'});
    let branch = MAIN;
    for (let depth = 0; depth < 8; depth += 1) {
      await world.create('TestDevice', {name: `d${depth}`}, {on: branch, links: {site}});
      branch = await world.branch(`b${depth}`, branch);
    }
    const where = (last: string, steps: number) =>
      throughRelated(
        Array.from({length: steps}, (_, step) => (step % 2 === 0 ? 'site' : 'devices')),
        {is: 'anyAttribute', test: {op: 'in', values: [last]}},
      );
    const all = Array.from({length: 8}, (_, depth) => `d${depth}`);
    for (const steps of [2, 4, 6]) {
      expect(await world.list({kind: 'TestDevice', where: where('d3', steps)}, branch)).toEqual(all);
      expect(await world.list({kind: 'TestDevice', where: where('d9', steps)}, branch)).toEqual([]);
    }
  });
});

describe('an attribute that comes back', () => {
  scenario('is found by the values that objects kept of it, and by no other', async world => {
    const kept = await world.create('TestDevice', {name: 'a', role: 'leaf'});
    const ended = await world.create('TestDevice', {name: 'b', role: 'leaf'});
    const without = reshaped(DEVICE, {
      attributes: DEVICE.shape.attributes.filter(({name}) => name !== 'role'),
    });
    await putKinds(world.store, MAIN, without);
    await world.set(kept, {name: 'c'});
    await world.commit(draft => draft.delete(ended));
    await putKinds(world.store, MAIN, DEVICE);
    const leaves = on('role', {op: 'in', values: ['leaf']});
    expect(await world.list({kind: 'TestDevice', where: leaves})).toEqual(['c']);
    expect((await world.store.verify()).problems).toEqual([]);
  });
});

describe('a cache of few documents', () => {
  scenarioOn(sqliteHarness(0, {documentsMax: 4}))(
    'shows what it gives up while others are read',
    async world => {
      const ids: NodeId[] = [];
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ids.push(await world.create('TestDevice', {name}));
      const snapshot = await world.store.snapshot({branch: MAIN});
      await snapshot.nodes(ids.slice(4));
      const nodes = await snapshot.nodes(ids);
      expect(nodes.map(node => node?.value('name'))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    },
  );
});
