import {branchName, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import type {StoreFamily} from '../bench.ts';
import {syncOnePage} from '../limits/disk.ts';
import {limit, time, timed} from '../measure.ts';

const SYNC = 'fdatasync of one 4 KiB page';

export const branch: StoreFamily = {
  name: 'branch',
  on: 'data set',
  async run(bench) {
    const store = await bench.open();
    const request = {origin: MAIN, description: '', syncWithGit: false};
    const samples = await timed(
      round => store.createBranch({...request, name: branchName(`made-${round}`)}, SERVICE),
      {roundsMax: 300},
    );
    await store.close();
    return [limit(SYNC, syncOnePage(bench.folder)), time('branch create', samples, [SYNC])];
  },
};
