import {GraphModel} from './graph-model.ts';
import {graphStoreContract} from './graph-store-contract.ts';
import {MAIN} from './graph-store-fixtures.ts';

graphStoreContract('model', {
  open: async ({clock}) => new GraphModel({clock, defaultBranch: MAIN}),
  reopen: async store => store,
});
