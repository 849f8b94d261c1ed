import {eventLogContract} from '../../ports/event-log-contract.ts';
import type {GraphStore} from '../../ports/graph-store.ts';
import type {PostgresGraphStore} from './postgres-graph-store.ts';
import {postgresHarness} from './postgres-harness.ts';

const partsOf = (store: GraphStore) => {
  const own = store as PostgresGraphStore;
  return {events: own.events, merges: own};
};

eventLogContract('PostgreSQL', {...postgresHarness(), partsOf});
