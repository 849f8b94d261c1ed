import {systemClock} from '../adapters/clock/system-clock.ts';
import {timeOrderedIds} from '../adapters/ids/time-ordered-ids.ts';
import {argon2Passwords} from '../adapters/passwords/argon2-passwords.ts';
import {ThreadedPlanner} from '../adapters/schema-planner/threaded-planner.ts';
import type {SqliteGraphStore} from '../adapters/sqlite/sqlite-graph-store.ts';
import type {Caller} from '../app/caller.ts';
import {processedSchemas} from '../app/schema/processed-schemas.ts';
import {FULL_ACCESS} from '../domain/access/access.ts';
import type {Log} from '../ports/log.ts';
import {branchRootFields} from '../wire/graphql/branch/branch-root-fields.ts';
import {GRAPHQL_LIMITS} from '../wire/graphql/limits.ts';
import type {Settings} from './settings/read.ts';
import {VERSION} from './version.ts';

/** Everything that requests are served with. */
export function composeServices(store: SqliteGraphStore, settings: Settings, log: Log) {
  return {
    store,
    merges: store,
    schemas: processedSchemas(),
    planner: new ThreadedPlanner(),
    clock: systemClock,
    ids: timeOrderedIds(systemClock),
    passwords: argon2Passwords,
    log,
    limits: {...GRAPHQL_LIMITS, pageRowsMax: settings.pageSizeMax},
    version: VERSION,
    rootFields: [branchRootFields],
    callerOf: async (): Promise<Caller> => ({account: null, access: FULL_ACCESS}),
  };
}
