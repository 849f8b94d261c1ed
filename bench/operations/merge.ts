import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {timeOrderedIds} from '../../src/adapters/ids/time-ordered-ids.ts';
import {ThreadedPlanner} from '../../src/adapters/schema-planner/threaded-planner.ts';
import {openSqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {branchConflicts} from '../../src/app/branch/branch-conflicts.ts';
import {createBranch} from '../../src/app/branch/create-branch.ts';
import {diffBranch} from '../../src/app/branch/diff-branch.ts';
import {type CombineOutcome, mergeBranch, rebaseBranch} from '../../src/app/branch/merge-branch.ts';
import {prepareGraph} from '../../src/app/first-start/prepare-graph.ts';
import {loadSchema} from '../../src/app/schema/load-schema.ts';
import {processedSchemas} from '../../src/app/schema/processed-schemas.ts';
import {FULL_ACCESS} from '../../src/domain/access/access.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import {chosen, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import type {Bench, Family} from '../bench.ts';
import {idOf, nameOf, STATUSES, sentence} from '../data-sets/data-set.ts';
import {scatter} from '../data-sets/scatter.ts';
import {type Figure, median, time, timed} from '../measure.ts';

const CALLER = {account: null, access: FULL_ACCESS};
const OBJECTS_PER_COMMIT = 2_000;
const DEVICES_PER_SITE = 100;
const VERSIONS = 5;
const CHANGES = [100, 2_000, 10_000] as const;
const ROUNDS: Readonly<Record<number, number>> = {100: 20, 2000: 5, 10000: 3};

const SCHEMA = {
  version: '1.0',
  nodes: [
    {
      namespace: 'Bench',
      name: 'Site',
      attributes: [{name: 'name', kind: 'Text', unique: true}],
      relationships: [
        {
          name: 'devices',
          peer: 'BenchDevice',
          cardinality: 'many',
          identifier: 'device__site',
          optional: true,
        },
      ],
    },
    {
      namespace: 'Bench',
      name: 'Device',
      order_by: ['name__value'],
      attributes: [
        {name: 'name', kind: 'Text', unique: true},
        {name: 'status', kind: 'Dropdown', choices: STATUSES.map(name => ({name})), optional: true},
        {name: 'description', kind: 'Text', optional: true},
      ],
      relationships: [
        {name: 'site', peer: 'BenchSite', cardinality: 'one', identifier: 'device__site', optional: true},
      ],
    },
  ],
};

/** What users wait for when they bring branches together, with everything that the service checks. */
export const merge: Family = {
  name: 'merge',
  async run(bench) {
    const service = await open(bench);
    await fill(service, bench.size);
    const figures: Figure[] = [];
    const rounds = {warmUp: 5, roundsMax: 50};
    const made = await timed(round => fork(service, `made-${round}`), rounds);
    figures.push(time('branch create, as a verb', made));
    let serial = 0;
    for (const changes of CHANGES.filter(count => count * 2 <= bench.size)) {
      const samples = {diff: [], check: [], merge: [], wait: [], rebase: []} as Record<string, number[]>;
      for (let round = 0; round <= ROUNDS[changes]!; round += 1) {
        serial += 1;
        const branch = await fork(service, `work-${serial}`);
        await change(service, branch, bench.size, changes, serial);
        const note = async (name: string, body: () => Promise<unknown>) => {
          const [sample] = await timed(body, {warmUp: 0, roundsMax: 1});
          if (round > 0) samples[name]!.push(sample!);
        };
        await note('diff', () => diffBranch(service, CALLER, {branch}));
        await renameSite(service, bench.size, `meanwhile ${serial}`);
        await note('check', () => branchConflicts(service, branch));
        await note('rebase', () => done(rebaseBranch(service, CALLER, {branch})));
        const wait = longestWait(service, bench.size, serial);
        await note('merge', () => done(mergeBranch(service, CALLER, {branch})));
        const waited = await wait.end();
        if (round > 0) samples.wait!.push(waited);
      }
      const count = changes.toLocaleString('en');
      figures.push(
        time(`diff of ${count} changes, as a verb`, samples.diff!),
        time(`conflict check of ${count} changes`, samples.check!),
        time(`rebase of ${count} changes`, samples.rebase!),
        time(`merge of ${count} changes`, samples.merge!),
        {name: `longest wait of a writer during a merge of ${count}`, unit: 'micros', value: median(samples.wait!)},
      );
    }
    await service.close();
    return figures;
  },
};

async function open(bench: Bench) {
  const folder = join(bench.folder, 'merge');
  mkdirSync(folder, {recursive: true});
  const store = await openSqliteGraphStore({folder, clock: systemClock, readWorkers: 1});
  const planner = new ThreadedPlanner();
  const close = async () => {
    await planner.close();
    await store.close();
  };
  const ids = timeOrderedIds(systemClock);
  const service = {store, merges: store, planner, schemas: processedSchemas(), ids, close};
  await prepareGraph(service);
  await loadSchema(service, CALLER, {branch: MAIN, payload: [SCHEMA]});
  return service;
}

type Service = Awaited<ReturnType<typeof open>>;

const isSite = (index: number): boolean => index % DEVICES_PER_SITE === 0;

async function fill({store}: Service, size: number): Promise<void> {
  for (let from = 0; from < size; from += OBJECTS_PER_COMMIT) {
    await store.write(MAIN, SERVICE, async draft => {
      for (let index = from; index < Math.min(size, from + OBJECTS_PER_COMMIT); index += 1) {
        const values: Record<string, string> = isSite(index)
          ? {name: nameOf(index)}
          : {
              name: nameOf(index),
              status: STATUSES[index % STATUSES.length]!,
              description: sentence(index, 6),
            };
        const kind = isSite(index) ? 'BenchSite' : 'BenchDevice';
        await draft.create({id: idOf(index), kind, attributes: chosen(values)});
        if (isSite(index)) continue;
        const site = idOf(index - (index % DEVICES_PER_SITE));
        await draft.link({node: idOf(index), relationship: 'site', peer: site});
      }
    });
  }
  for (let version = 1; version < VERSIONS; version += 1) {
    await store.write(MAIN, SERVICE, async draft => {
      for (let index = 1; index < Math.min(size, 20_000); index += DEVICES_PER_SITE / 10) {
        if (!isSite(index)) await draft.update(idOf(index), chosen({description: `version ${version}`}));
      }
    });
  }
}

async function fork(service: Service, name: string): Promise<BranchName> {
  const request = {name, origin: MAIN, description: '', syncWithGit: false};
  return (await createBranch(service, CALLER, request)).name;
}

/** Four of five changes are updates, the last one is a new object with an edge. */
async function change(
  {store, ids}: Service,
  branch: BranchName,
  size: number,
  count: number,
  serial: number,
): Promise<void> {
  await store.write(branch, SERVICE, async draft => {
    for (let index = 0; index < count; index += 1) {
      const place = scatter(index, serial) % size;
      const device = isSite(place) ? place + 1 : place;
      if (index % 5 === 4) {
        const id = ids.nodeId();
        const attributes = chosen({name: `${serial}-${index}`, description: sentence(index, serial)});
        await draft.create({id, kind: 'BenchDevice', attributes});
        const site = idOf(device - (device % DEVICES_PER_SITE));
        await draft.link({node: id, relationship: 'site', peer: site});
      } else {
        const status = STATUSES[(index + serial) % STATUSES.length]!;
        await draft.update(
          idOf(device),
          chosen({status, description: `${sentence(index, serial)} ${serial}`}),
        );
      }
    }
  });
}

async function done(outcome: Promise<CombineOutcome>): Promise<void> {
  const {is} = await outcome;
  if (is !== 'done') throw new Error(`nothing to measure: ${is}`);
}

/** A small write that no branch is in conflict with. */
async function renameSite({store}: Service, size: number, name: string): Promise<void> {
  const site = idOf((scatter(name.length, size) % Math.floor(size / DEVICES_PER_SITE)) * DEVICES_PER_SITE);
  await store.write(MAIN, SERVICE, async draft => {
    await draft.update(site, chosen({name}));
  });
}

/** Writes small things, one after another, and tells the longest that one took. */
function longestWait(service: Service, size: number, serial: number) {
  let [isOver, longest] = [false, 0];
  const writing = (async () => {
    for (let round = 0; !isOver; round += 1) {
      const start = performance.now();
      await renameSite(service, size, `${serial} ${round}`);
      longest = Math.max(longest, (performance.now() - start) * 1000);
    }
  })();
  return {
    end: async () => {
      isOver = true;
      await writing;
      return longest;
    },
  };
}
