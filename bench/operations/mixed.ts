import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {branchName, chosen, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import type {ServiceFamily} from '../bench.ts';
import {wallMicros} from '../clock.ts';
import {STATUSES} from '../data-sets/data-set.ts';
import {scatter} from '../data-sets/scatter.ts';
import {copyService, deviceId, devicesOf, openService} from '../data-sets/service-set.ts';
import {type Figure, time} from '../measure.ts';
import {paceSeconds} from '../pace.ts';
import {KEY, serve} from './http.ts';

const BRANCHES = 6;
const CHANGES = 2_000;
/** For each second that another figure is measured: a p99 needs many reads. */
const SECONDS = 5;
const PAUSE_MILLIS = 2;
const BY_ID = `query ($ids: [ID]) { BenchDevice(ids: $ids) { edges { node {
  id name { value } status { value } role { value } description { value } } } } }`;

/** What a reader of single objects waits while others scan, merge and load: they come from another process. */
export const mixed: ServiceFamily = {
  name: 'mixed',
  on: 'service',
  async run({folder: place, size}) {
    const folder = join(place, 'mixed');
    await copyService(size, folder);
    const branches = await makeBranches(folder, size);
    const served = await serve(folder);
    let others: ChildProcess | undefined;
    try {
      const figures: Figure[] = [time('point read, nobody else', await pointReads(served.address, size))];
      others = fork(join(import.meta.dirname, 'mixed-load.ts'), {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      others.send({address: served.address, key: KEY, branches, size});
      await once(others, 'message');
      const samples = await pointReads(served.address, size);
      others.send('enough');
      const [done] = (await once(others, 'message')) as [Readonly<Record<string, number>>];
      figures.push(time('point read while scans, merges and a bulk load run', samples));
      for (const [what, count] of Object.entries(done)) {
        figures.push({
          name: `meanwhile, ${what}`,
          unit: 'perSecond',
          value: count / (SECONDS * paceSeconds()),
        });
      }
      return figures;
    } finally {
      others?.kill();
      await served.stop();
    }
  },
};

/** One reader that asks again some milliseconds after each answer. */
async function pointReads(address: string, size: number): Promise<readonly number[]> {
  const samples: number[] = [];
  const until = performance.now() + SECONDS * paceSeconds() * 1000;
  for (let round = 0; performance.now() < until; round += 1) {
    const ids = [deviceId(scatter(round, 9) % devicesOf(size))];
    const start = wallMicros();
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: {'content-type': 'application/json', 'x-api-key': KEY},
      body: JSON.stringify({query: BY_ID, variables: {ids}}),
    });
    const text = await response.text();
    samples.push(wallMicros() - start);
    if (text.includes('"errors"')) throw new Error(text.slice(0, 500));
    await wait(PAUSE_MILLIS);
  }
  return samples;
}

/** Branches that are each ready to be merged, and change no object that another does. */
async function makeBranches(folder: string, size: number): Promise<readonly string[]> {
  const {store, close} = await openService(folder, 0);
  const each = Math.min(CHANGES, Math.floor(devicesOf(size) / BRANCHES));
  const names = Array.from({length: BRANCHES}, (_, place) => `mixed-${place}`);
  for (const [place, name] of names.entries()) {
    const branch = branchName(name);
    await store.createBranch({name: branch, origin: MAIN, description: '', syncWithGit: false}, SERVICE);
    await store.write(branch, SERVICE, async draft => {
      for (let index = place * each; index < (place + 1) * each; index += 1) {
        const status = STATUSES[(index + 1) % STATUSES.length]!;
        await draft.update(deviceId(index), chosen({status, description: `on ${name}`}));
      }
    });
  }
  await close();
  return names;
}
