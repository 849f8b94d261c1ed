import {eventLogContract} from '../../ports/event-log-contract.ts';
import type {GraphStore} from '../../ports/graph-store.ts';
import type {SqliteGraphStore} from './sqlite-graph-store.ts';
import {sqliteHarness} from './sqlite-harness.ts';

const partsOf = (store: GraphStore) => {
  const own = store as SqliteGraphStore;
  return {events: own.events, merges: own};
};

eventLogContract('SQLite on one thread', {...sqliteHarness(0), partsOf});
eventLogContract('SQLite with a read worker', {...sqliteHarness(1), partsOf});
