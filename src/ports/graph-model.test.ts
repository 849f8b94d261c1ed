import {GraphModel} from './graph-model.ts';
import type {StoreHarness} from './graph-store-contract/world.ts';
import {graphStoreContract} from './graph-store-contract.ts';
import {MAIN} from './graph-store-fixtures.ts';
import {graphStoreHistories} from './graph-store-histories.ts';

const harness: StoreHarness = {
  open: async ({clock}) => new GraphModel({clock, defaultBranch: MAIN}),
  reopen: async store => store,
};

graphStoreContract('model', harness);
graphStoreHistories('model', harness, {runs: 50});
