import {graphStoreHistories} from '../../ports/graph-store-histories.ts';
import {sqliteHarness} from './sqlite-harness.ts';

graphStoreHistories('SQLite', sqliteHarness(0), {runs: 300});
