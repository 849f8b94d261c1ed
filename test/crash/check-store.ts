import {expect} from 'vitest';
import {read} from '../../src/adapters/sql/statement.ts';
import type {SqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {must} from '../../src/base/assert.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {Snapshot} from '../../src/ports/graph-store.ts';
import {MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import type {Entry} from './journal.ts';

const COMMITS_LOOKED_AT = 12;

/** Everything that was acknowledged is readable at its instant; a branch that was being deleted may be gone. */
export async function checkAcknowledged(store: SqliteGraphStore, entries: readonly Entry[]): Promise<void> {
  const there = new Set((await store.branches()).map(branch => branch.name));
  const leaving = new Set(entries.flatMap(entry => (entry.is === 'deleting' ? [entry.branch] : [])));
  for (const entry of entries) {
    if (entry.is === 'deleted') expect(there.has(entry.branch), JSON.stringify(entry)).toBe(false);
    if (entry.is === 'deleted' || entry.is === 'deleting') continue;
    if (entry.is === 'reshaped') {
      const {shape} = await kindAt(await store.snapshot({branch: MAIN, at: entry.commit}));
      expect(shape.orderBy).toEqual(entry.orderBy);
      continue;
    }
    if (!there.has(entry.branch)) {
      expect(leaving.has(entry.branch), `the branch of ${JSON.stringify(entry)}`).toBe(true);
    } else if (entry.is === 'branched') {
      expect((await store.branch(entry.branch)).forkedAt).toBe(entry.forkedAt);
    } else {
      await checkWritten(await store.snapshot({branch: entry.branch, at: entry.commit}), entry);
    }
  }
}

async function kindAt(snapshot: Snapshot) {
  return must(
    snapshot.kinds().find(record => record.shape.name === 'TestDevice'),
    'the kind of the devices',
  );
}

async function checkWritten(snapshot: Snapshot, entry: Entry & {is: 'written'}): Promise<void> {
  const devices = await snapshot.nodes(entry.group.devices);
  for (const [index, device] of devices.entries()) {
    expect(device?.value('status') ?? null, JSON.stringify(entry)).toBe(entry.status);
    if (device === undefined) continue;
    expect(device.value('name')).toBe(`${entry.group.name}/${index}`);
    const tags = await snapshot.neighbours(device.id, 'tags');
    expect(tags.map(tag => tag.id)).toEqual(entry.tag === null ? [] : [entry.tag]);
  }
}

/** No commit is there in part, whether it was acknowledged or not: at the head, and at each of the last commits. */
export async function checkWhole(store: SqliteGraphStore): Promise<void> {
  for (const {name} of await store.branches()) {
    await checkGroups(await store.snapshot({branch: name}), name);
    const last = await store.commits({branch: name, limit: COMMITS_LOOKED_AT, newestFirst: true});
    for (const {instant} of last) await checkGroups(await store.snapshot({branch: name, at: instant}), name);
  }
}

async function checkGroups(snapshot: Snapshot, branch: BranchName): Promise<void> {
  const groups = new Map<string, string[]>();
  const page = await snapshot.query({kind: 'TestDevice', count: true});
  expect(page.found.length).toBe(page.count);
  for (const {node} of page.found) {
    const [group] = String(node.value('name')).split('/');
    const statuses = groups.get(group!);
    if (statuses === undefined) groups.set(group!, [String(node.value('status'))]);
    else statuses.push(String(node.value('status')));
  }
  for (const [group, statuses] of groups) {
    expect(statuses, `${group} on ${branch} at ${snapshot.at}`).toEqual([
      statuses[0],
      statuses[0],
      statuses[0],
    ]);
  }
}

/** Ends when nothing is left of the branches that were deleted: kills come in the middle of that too. */
export async function allRemoved(store: SqliteGraphStore): Promise<void> {
  const left = read('SELECT count(*) FROM branch WHERE deleted > 0 AND purged = 0', []);
  while (store.writer.run(left)[0]![0] !== 0) await store.write(MAIN, SERVICE, async () => undefined);
}
