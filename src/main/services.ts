import {systemClock} from '../adapters/clock/system-clock.ts';
import {timeOrderedIds} from '../adapters/ids/time-ordered-ids.ts';
import {argon2Passwords} from '../adapters/passwords/argon2-passwords.ts';
import {ThreadedPlanner} from '../adapters/schema-planner/threaded-planner.ts';
import {joseTokens} from '../adapters/tokens/jose-tokens.ts';
import {accessServices} from '../app/access/access-services.ts';
import {BRANCH_WORKFLOWS} from '../app/branch/branch-workflows.ts';
import {ContentFollowing} from '../app/follow/content-following.ts';
import {FollowedStore} from '../app/follow/followed-store.ts';
import {REPOSITORY_WORKFLOWS} from '../app/repository/repository-workflows.ts';
import {processedSchemas} from '../app/schema/processed-schemas.ts';
import {callerOfAccount} from '../app/task/caller-of-account.ts';
import type {Log} from '../ports/log.ts';
import {accessFields} from '../wire/graphql/access/access-fields.ts';
import {branchRootFields} from '../wire/graphql/branch/branch-root-fields.ts';
import {eventFields} from '../wire/graphql/event/event-fields.ts';
import {GRAPHQL_LIMITS, type GraphqlLimits} from '../wire/graphql/limits.ts';
import {taskFields} from '../wire/graphql/task/task-fields.ts';
import {callerOf} from '../wire/http/credentials.ts';
import {seeingTheLatest} from '../wire/http/latest-state.ts';
import type {ServiceStore} from './service-store.ts';
import type {Settings} from './settings/read.ts';
import {VERSION} from './version.ts';

const limitsOf = (settings: Settings): GraphqlLimits => ({
  ...GRAPHQL_LIMITS,
  pageRowsMax: settings.pageSizeMax,
  depthMax: settings.queryDepthMax,
  tokensMax: settings.queryTokensMax,
  aliasesMax: settings.queryAliasesMax,
  fieldsMax: settings.queryFieldsMax,
  rowsMax: settings.queryRowsMax,
});

const DATA_CHANGING: readonly string[] = [...BRANCH_WORKFLOWS, ...REPOSITORY_WORKFLOWS]
  .filter(flow => flow.changesData)
  .map(flow => flow.name);

/** Everything that requests are served with. */
export function composeServices(store: ServiceStore, settings: Settings, secretKey: string, log: Log) {
  const following = new ContentFollowing(store);
  const followed = new FollowedStore(store, following);
  const parts = {
    store: followed,
    schemas: processedSchemas(),
    clock: systemClock,
    ids: timeOrderedIds(systemClock),
    passwords: argon2Passwords,
    log,
  };
  // Nothing follows from sessions and keys.
  const access = accessServices({...parts, store, tokens: joseTokens(secretKey), settings, secretKey});
  const origins = {publicUrl: settings.publicUrl, allowed: settings.corsOrigins};
  return {
    ...parts,
    merges: followed,
    events: store.events,
    following,
    /** For writes of which nothing follows. */
    quietStore: store,
    tasks: store.tasks,
    callerFor: callerOfAccount(access.standings),
    planner: new ThreadedPlanner(),
    limits: limitsOf(settings),
    version: VERSION,
    access,
    origins,
    rootFields: [
      branchRootFields,
      accessFields(access),
      taskFields(DATA_CHANGING),
      eventFields(store.events),
    ],
    callerOf: seeingTheLatest(store.latest?.bind(store), callerOf(access, origins)),
  };
}
