import {graphStoreHistories} from '../../ports/graph-store-histories.ts';
import {postgresHarness} from './postgres-harness.ts';

graphStoreHistories('PostgreSQL', postgresHarness(), {runs: 8});
