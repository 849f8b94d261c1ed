import {afterEach, beforeEach, expect, test} from 'vitest';
import {type Branches, openBranches} from './branch-world.ts';

const CLIENTS = 64;

let world: Branches;

beforeEach(async () => {
  world = await openBranches();
});

afterEach(async () => {
  expect(await world.problems()).toEqual([]);
  await world.close();
});

test('of 64 clients that claim one unique value on main and on branches, with merges, one wins', async () => {
  const branches = Array.from({length: 8}, (_, place) => `storm-${place}`);
  for (const name of branches) await world.branch(name);
  const create = (branch?: string) =>
    world.run('mutation { InfraDeviceCreate(data: {name: {value: "one"}}) { ok } }', branch ? {branch} : {});
  const merge = (branch: string) => world.run(`mutation { BranchMerge(data: {name: "${branch}"}) { ok } }`);
  const clients = Array.from({length: CLIENTS}, async (_, client) => {
    const branch = client % 3 === 0 ? undefined : branches[client % branches.length]!;
    const made = await create(branch);
    if (branch === undefined) return made.errors === undefined ? 'main' : undefined;
    return (await merge(branch)).errors === undefined && made.errors === undefined ? branch : undefined;
  });
  const winners = (await Promise.all(clients)).filter(winner => winner !== undefined);
  expect(await world.names()).toEqual(['one']);
  expect(winners.length).toBeGreaterThan(0);
  for (const name of branches) {
    for (const error of (await merge(name)).errors ?? []) {
      expect(error.extensions.code).toBe('CONSTRAINT_VIOLATION');
    }
  }
  expect(await world.names()).toEqual(['one']);
});

test('writers on the origin go on while branches are merged, and nothing is lost', async () => {
  const branches = Array.from({length: 8}, (_, place) => `busy-${place}`);
  for (const name of branches) {
    await world.branch(name);
    for (let place = 0; place < 5; place += 1) await world.device(`${name}-${place}`, name);
  }
  await Promise.all([
    ...branches.map(name => world.merge(name)),
    ...Array.from({length: CLIENTS}, (_, client) => world.device(`main-${client}`)),
  ]);
  expect(await world.names()).toHaveLength(8 * 5 + CLIENTS);
});
