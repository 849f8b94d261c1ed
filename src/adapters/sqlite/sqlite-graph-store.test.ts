import {graphStoreContract} from '../../ports/graph-store-contract.ts';
import {sqliteHarness} from './sqlite-harness.ts';

graphStoreContract('SQLite on one thread', sqliteHarness(0));
graphStoreContract('SQLite with a read worker', sqliteHarness(1));
