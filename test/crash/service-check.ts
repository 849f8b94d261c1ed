import {expect} from 'vitest';
import type {SqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {Told} from './service-journal.ts';
import {GROUP_SIZE, KIND} from './service-things.ts';

type Groups = ReadonlyMap<string, number>;

async function groupsOn(store: SqliteGraphStore, branch: BranchName): Promise<Groups> {
  const head = await store.snapshot({branch});
  const groups = new Map<string, number>();
  for (const {node} of (await head.query({kind: KIND})).found) {
    const group = String(node.value('group'));
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  return groups;
}

/** All that was told is there, and of what was not told nothing by half. */
export async function checkTold(store: SqliteGraphStore, told: readonly Told[]): Promise<void> {
  expect((await store.verify()).problems).toEqual([]);
  const byBranch = new Map<string, Groups>();
  for (const {name} of await store.branches()) byBranch.set(name, await groupsOn(store, name));
  for (const [branch, groups] of byBranch) {
    for (const [group, size] of groups) expect(size, `${group} on ${branch}`).toBe(GROUP_SIZE);
  }
  const main = byBranch.get('main')!;
  const leaving = new Set(told.flatMap(each => (each.is === 'deleting' ? [each.branch] : [])));
  const kind = (await store.snapshot({branch: 'main' as BranchName})).kind(KIND);
  const attributes = new Set(kind?.attributes.map(({name}) => name));
  for (const each of told) {
    if (each.is === 'imported') {
      const groups = byBranch.get(each.branch);
      if (groups === undefined) expect(leaving.has(each.branch), JSON.stringify(each)).toBe(true);
      else expect(groups.has(each.group), JSON.stringify(each)).toBe(true);
    }
    if (each.is === 'merged') {
      for (const group of each.groups) expect(main.has(group), JSON.stringify(each)).toBe(true);
    }
    if (each.is === 'loaded') expect(attributes.has(each.attribute), each.attribute).toBe(true);
  }
}
