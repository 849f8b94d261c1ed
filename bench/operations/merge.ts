import {join} from 'node:path';
import {branchConflicts} from '../../src/app/branch/branch-conflicts.ts';
import {createBranch} from '../../src/app/branch/create-branch.ts';
import {diffBranch} from '../../src/app/branch/diff-branch.ts';
import {type CombineOutcome, mergeBranch, rebaseBranch} from '../../src/app/branch/merge-branch.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import {chosen, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import type {ServiceFamily} from '../bench.ts';
import {STATUSES, sentence} from '../data-sets/data-set.ts';
import {scatter} from '../data-sets/scatter.ts';
import {
  type BenchService,
  CALLER,
  copyService,
  deviceId,
  devicesOf,
  openService,
  siteId,
  siteOf,
  sitesOf,
} from '../data-sets/service-set.ts';
import {type Figure, median, time, timed} from '../measure.ts';

const CHANGES = [100, 2_000, 10_000] as const;
const ROUNDS: Readonly<Record<number, number>> = {100: 20, 2000: 5, 10000: 3};

/** What users wait for when they bring branches together, with everything that the service checks. */
export const merge: ServiceFamily = {
  name: 'merge',
  on: 'service',
  async run(bench) {
    const folder = join(bench.folder, 'merge');
    await copyService(bench.size, folder);
    const service = await openService(folder);
    const figures: Figure[] = [];
    const rounds = {warmUp: 5, roundsMax: 50};
    const made = await timed(round => fork(service, `made-${round}`), rounds);
    figures.push(time('branch create, as a verb', made));
    let serial = 0;
    for (const changes of CHANGES.filter(count => count < devicesOf(bench.size))) {
      const samples = new Map<string, number[]>();
      for (let round = 0; round <= ROUNDS[changes]!; round += 1) {
        const keep = (name: string, sample: number) => {
          if (round > 0) samples.set(name, [...(samples.get(name) ?? []), sample]);
        };
        const note = async (name: string, body: () => Promise<unknown>) => {
          const [sample] = await timed(body, {warmUp: 0, roundsMax: 1});
          keep(name, sample!);
        };
        const worked = async () => {
          serial += 1;
          const branch = await fork(service, `work-${serial}`);
          await change(service, branch, bench.size, changes, serial);
          return branch;
        };
        const branch = await worked();
        await note('diff', () => diffBranch(service, CALLER, {branch}));
        await renameSite(service, bench.size, `meanwhile ${serial}`);
        await note('check', () => branchConflicts(service, branch));
        await note('rebase', () => done(rebaseBranch(service, CALLER, {branch})));
        await note('merge', () => done(mergeBranch(service, CALLER, {branch})));
        const other = await worked();
        const beside = async (name: string, body: () => Promise<unknown>) => {
          const wait = longestWait(service, bench.size, serial);
          await note(`${name} beside`, body);
          keep(`wait for ${name}`, await wait.end());
        };
        await renameSite(service, bench.size, `meanwhile ${serial}`);
        await beside('rebase', () => done(rebaseBranch(service, CALLER, {branch: other})));
        await beside('merge', () => done(mergeBranch(service, CALLER, {branch: other})));
      }
      const count = changes.toLocaleString('en');
      const of = (name: string) => samples.get(name)!;
      const wait = (name: string): Figure => ({
        name: `longest wait of a writer during a ${name} of ${count}`,
        unit: 'micros',
        value: median(of(`wait for ${name}`)),
      });
      figures.push(
        time(`diff of ${count} changes, as a verb`, of('diff')),
        time(`conflict check of ${count} changes`, of('check')),
        time(`rebase of ${count} changes`, of('rebase')),
        time(`rebase of ${count} changes, while somebody writes all the time`, of('rebase beside')),
        wait('rebase'),
        time(`merge of ${count} changes`, of('merge')),
        time(`merge of ${count} changes, while somebody writes all the time`, of('merge beside')),
        wait('merge'),
      );
    }
    await service.close();
    return figures;
  },
};

async function fork(service: BenchService, name: string): Promise<BranchName> {
  const request = {name, origin: MAIN, description: '', syncWithGit: false};
  return (await createBranch(service, CALLER, request)).name;
}

/** Four of five changes are updates, the last one is a new object with an edge. */
export async function change(
  {store, ids}: BenchService,
  branch: BranchName,
  size: number,
  count: number,
  serial: number,
): Promise<void> {
  await store.write(branch, SERVICE, async draft => {
    for (let index = 0; index < count; index += 1) {
      const device = scatter(index, serial) % devicesOf(size);
      if (index % 5 === 4) {
        const id = ids.nodeId();
        const attributes = chosen({name: `${serial}-${index}`, description: sentence(index, serial)});
        await draft.create({id, kind: 'BenchDevice', attributes});
        await draft.link({node: id, relationship: 'site', peer: siteOf(device)});
      } else {
        const status = STATUSES[(index + serial) % STATUSES.length]!;
        await draft.update(
          deviceId(device),
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
async function renameSite({store}: BenchService, size: number, name: string): Promise<void> {
  const site = siteId(scatter(name.length, size) % sitesOf(size));
  await store.write(MAIN, SERVICE, async draft => {
    await draft.update(site, chosen({name}));
  });
}

/** Writes small things, one after another, and tells the longest that one took. */
function longestWait(service: BenchService, size: number, serial: number) {
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
