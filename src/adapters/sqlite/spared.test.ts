import {describe, expect} from 'vitest';
import type {Instant} from '../../domain/time/instant.ts';
import type {Draft} from '../../ports/graph-store.ts';
import {scenarioOn, type World} from '../../ports/graph-store-contract/world.ts';
import {branchName, INTERFACE, MAIN, putKinds, reshaped, SERVICE} from '../../ports/graph-store-fixtures.ts';
import {sqliteHarness} from './sqlite-harness.ts';

const scenario = scenarioOn(sqliteHarness(0));

async function head(world: World): Promise<Instant> {
  return (await world.store.snapshot({branch: MAIN})).at;
}

/** Which of the kinds a piece of work spares, as far as the store knows. */
async function sparedBy(world: World, work: () => Promise<unknown>): Promise<readonly string[]> {
  const since = await head(world);
  await work();
  const until = await head(world);
  expect(until).toBeGreaterThan(since);
  return ['TestSite', 'TestDevice'].filter(name =>
    world.store.spared(since, until, kind => kind.name === name),
  );
}

describe('what commits spare', () => {
  scenario('is told by the kinds of the objects that they touch, edges included', async world => {
    const site = await world.create('TestSite', {name: 'bern'});
    const device = await world.create('TestDevice', {name: 'a'});
    const commit = (body: (draft: Draft) => Promise<unknown>) => () => world.commit(body);
    const edge = {node: device, relationship: 'site', peer: site};
    expect(await sparedBy(world, () => world.create('TestDevice', {name: 'b'}))).toEqual(['TestSite']);
    expect(await sparedBy(world, () => world.set(site, {name: 'basel'}))).toEqual(['TestDevice']);
    expect(
      await sparedBy(
        world,
        commit(draft => draft.link(edge)),
      ),
    ).toEqual([]);
    expect(
      await sparedBy(
        world,
        commit(draft => draft.unlink(edge)),
      ),
    ).toEqual([]);
    expect(
      await sparedBy(
        world,
        commit(draft => draft.delete(device)),
      ),
    ).toEqual(['TestSite']);
  });

  scenario('holds over several commits, and on every branch', async world => {
    const branch = await world.branch('feature');
    const several = async () => {
      await world.create('TestDevice', {name: 'a'});
      await world.create('TestDevice', {name: 'b'}, {on: branch});
      await world.create('TestDevice', {name: 'c'});
    };
    expect(await sparedBy(world, several)).toEqual(['TestSite']);
    const mixed = async () => {
      await world.create('TestDevice', {name: 'd'});
      await world.create('TestSite', {name: 'bern'}, {on: branch});
      await world.create('TestDevice', {name: 'e'});
    };
    expect(await sparedBy(world, mixed)).toEqual([]);
  });

  scenario('is nothing when the schema, a branch or a fork moves', async world => {
    expect(await sparedBy(world, () => world.fork('feature'))).toEqual([]);
    const shape = reshaped(INTERFACE, {orderBy: []});
    expect(await sparedBy(world, () => putKinds(world.store, MAIN, shape))).toEqual([]);
    expect(await sparedBy(world, () => world.store.deleteBranch(branchName('feature'), SERVICE))).toEqual([]);
  });

  scenario('is not known of what was long ago', async world => {
    const since = await head(world);
    for (let index = 0; index < 100; index += 1) await world.create('TestDevice', {name: `d${index}`});
    expect(world.store.spared(since, await head(world), () => false)).toBe(false);
  });
});
