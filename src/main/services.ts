import {systemClock} from '../adapters/clock/system-clock.ts';
import {timeOrderedIds} from '../adapters/ids/time-ordered-ids.ts';
import {argon2Passwords} from '../adapters/passwords/argon2-passwords.ts';
import {ThreadedPlanner} from '../adapters/schema-planner/threaded-planner.ts';
import type {SqliteGraphStore} from '../adapters/sqlite/sqlite-graph-store.ts';
import {joseTokens} from '../adapters/tokens/jose-tokens.ts';
import {accessServices} from '../app/access/access-services.ts';
import {processedSchemas} from '../app/schema/processed-schemas.ts';
import type {Log} from '../ports/log.ts';
import {accessFields} from '../wire/graphql/access/access-fields.ts';
import {branchRootFields} from '../wire/graphql/branch/branch-root-fields.ts';
import {GRAPHQL_LIMITS} from '../wire/graphql/limits.ts';
import {callerOf} from '../wire/http/credentials.ts';
import type {Settings} from './settings/read.ts';
import {VERSION} from './version.ts';

/** Everything that requests are served with. */
export function composeServices(store: SqliteGraphStore, settings: Settings, secretKey: string, log: Log) {
  const parts = {
    store,
    schemas: processedSchemas(),
    clock: systemClock,
    ids: timeOrderedIds(systemClock),
    passwords: argon2Passwords,
    log,
  };
  const access = accessServices({...parts, tokens: joseTokens(secretKey), settings, secretKey});
  const origins = {publicUrl: settings.publicUrl, allowed: settings.corsOrigins};
  return {
    ...parts,
    merges: store,
    planner: new ThreadedPlanner(),
    limits: {...GRAPHQL_LIMITS, pageRowsMax: settings.pageSizeMax},
    version: VERSION,
    access,
    origins,
    rootFields: [branchRootFields, accessFields(access)],
    callerOf: callerOf(access, origins),
  };
}
