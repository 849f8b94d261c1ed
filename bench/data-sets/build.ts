import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {FORMAT, TABLES} from '../../src/adapters/sql/tables.ts';
import {databasePath} from '../../src/adapters/sqlite/data-file.ts';
import {openSqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {Instant} from '../../src/domain/time/instant.ts';
import type {GraphStore} from '../../src/ports/graph-store.ts';
import {branchName, MAIN, putKinds, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import type {DataSet, Step} from './data-set.ts';
import {changeOf, idOf, writeSteps} from './data-set.ts';
import {scatter} from './scatter.ts';

/** Raised when the same number no longer gives the same object. */
const GENERATOR_VERSION = 1;
const STEPS_PER_COMMIT = 2_000;
const BRANCHES = 5;
const CHANGES_PER_COMMIT = 10;
const CHANGES = {updated: 1_800, created: 150, deleted: 50};

/** What there is to know about a data set that lies on disk. */
export interface Built {
  readonly folder: string;
  readonly bytes: number;
  /** After the load, before anything of it was changed. */
  readonly past: Instant;
  readonly branches: readonly BranchName[];
  readonly loadedPerSecond: number;
}

export const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'trellis-bench');

/** The data set of that size, made when it is not there. Nobody writes to it afterwards. */
export async function builtSet(data: DataSet, size: number): Promise<Built> {
  const layout = createHash('sha256')
    .update(`${FORMAT} ${TABLES.join()} ${JSON.stringify(data.kinds)}`)
    .digest('hex');
  const folder = join(CACHE, `${data.name}-${size}-v${GENERATOR_VERSION}-${layout.slice(0, 8)}`);
  const manifest = join(folder, 'built.json');
  if (!existsSync(manifest)) {
    const draft = `${folder}.draft`;
    rmSync(draft, {recursive: true, force: true});
    mkdirSync(draft, {recursive: true});
    const facts = await build(data, size, draft);
    writeFileSync(join(draft, 'built.json'), JSON.stringify(facts));
    rmSync(folder, {recursive: true, force: true});
    renameSync(draft, folder);
  }
  const facts = JSON.parse(readFileSync(manifest, 'utf8')) as Awaited<ReturnType<typeof build>>;
  return {...facts, folder};
}

async function build(data: DataSet, size: number, folder: string): Promise<Omit<Built, 'folder'>> {
  const store = await openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0});
  let commit: number = await putKinds(store, MAIN, ...data.kinds);
  const started = performance.now();
  for (let from = 0; from < size; from += STEPS_PER_COMMIT) {
    commit = await writeSteps(store, stepsFrom(data, from, Math.min(STEPS_PER_COMMIT, size - from), size));
    process.stderr.write(`\r${data.name} ${size}: ${from + STEPS_PER_COMMIT} objects made`);
  }
  process.stderr.write('\n');
  const loadedPerSecond = (size * 1000) / (performance.now() - started);
  const fifth = Array.from({length: size}, (_, index) => index).filter(index => scatter(index, 40) % 5 === 0);
  for (const round of [1, 2]) await updateAll(store, MAIN, fifth, round, STEPS_PER_COMMIT);
  const branches = Array.from({length: BRANCHES}, (_, place) => branchName(`branch-${place}`));
  for (const [place, name] of branches.entries()) {
    await store.createBranch({name, origin: MAIN, description: '', syncWithGit: false}, SERVICE);
    await changeBranch(store, data, size, name, place);
  }
  // Half of what the origin does meanwhile is to objects that the first branch has changed too.
  const meanwhile = [...touchedBy(0, size).slice(0, 1_000), ...touchedBy(BRANCHES, size).slice(0, 1_000)];
  await updateAll(store, MAIN, [...new Set(meanwhile)], 3, CHANGES_PER_COMMIT);
  await store.close();
  const {size: bytes} = statSync(databasePath(folder));
  return {bytes, past: commit as Instant, branches, loadedPerSecond};
}

export function* stepsFrom(data: DataSet, from: number, count: number, size: number): Generator<Step> {
  for (let index = from; index < from + count; index += 1) yield data.step(index, size);
}

/** The objects that the branch in this place updates. */
export const touchedBy = (place: number, size: number): readonly number[] => [
  ...new Set(Array.from({length: CHANGES.updated}, (_, serial) => scatter(serial, 50 + place) % size)),
];

async function changeBranch(
  store: GraphStore,
  data: DataSet,
  size: number,
  branch: BranchName,
  place: number,
): Promise<void> {
  const updated = touchedBy(place, size);
  await updateAll(store, branch, updated, 10 + place, CHANGES_PER_COMMIT);
  for (let serial = 0; serial < CHANGES.created; serial += CHANGES_PER_COMMIT) {
    const first = place * CHANGES.created + serial;
    const steps = Array.from({length: CHANGES_PER_COMMIT}, (_, more) => data.extra(first + more, size));
    await writeSteps(store, steps, branch);
  }
  const leaves = new Set<number>();
  for (let serial = 0; leaves.size < CHANGES.deleted; serial += 1) {
    const leaf = data.leaf(place * 1_000 + serial, size);
    if (!updated.includes(leaf)) leaves.add(leaf);
  }
  await store.write(branch, SERVICE, async draft => {
    for (const leaf of leaves) await draft.delete(idOf(leaf));
  });
}

async function updateAll(
  store: GraphStore,
  branch: BranchName,
  indexes: readonly number[],
  round: number,
  perCommit: number,
): Promise<void> {
  for (let from = 0; from < indexes.length; from += perCommit) {
    await store.write(branch, SERVICE, async draft => {
      for (const index of indexes.slice(from, from + perCommit)) {
        await draft.update(idOf(index), changeOf(index, round));
      }
    });
  }
}
