import {graphStoreHistories} from '../../ports/graph-store-histories.ts';
import {sqliteHarness} from './sqlite-harness.ts';

graphStoreHistories('SQLite on one thread', sqliteHarness(0), {runs: 150});
graphStoreHistories('SQLite with a read worker', sqliteHarness(1), {runs: 15});
