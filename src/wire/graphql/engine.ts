import type {Caller} from '../../app/caller.ts';
import type {Services} from '../../app/services.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {EventLog} from '../../ports/event-log.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {Passwords} from '../../ports/passwords.ts';
import type {GraphqlLimits} from './limits.ts';
import type {ReadScope} from './meaning.ts';
import type {ListContext} from './plan/list-request.ts';

/** What answering GraphQL touches. */
export interface GraphqlServices extends Services {
  readonly events: EventLog;
  readonly passwords: Passwords;
  readonly limits: GraphqlLimits;
  /** The version of the service, for clients that ask. */
  readonly version: string;
}

/** One request, understood as HTTP and not yet as GraphQL. */
export interface GraphqlRequest {
  readonly branch: BranchName;
  readonly at: string | undefined;
  readonly caller: Caller;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
  readonly requestId: string;
  /** The state to read, when the caller has it at hand; else that of the branch. */
  readonly snapshot?: Snapshot;
}

/** Everything a root field may look at: who asks, where the read stands, and the service. */
export interface FieldContext extends ReadScope {
  readonly services: GraphqlServices;
  readonly caller: Caller;
  readonly branch: BranchName;
  readonly snapshot: Snapshot;
  /** The instant that the request names; absent for now. */
  readonly at: Instant | undefined;
  readonly schema: Schema;
  readonly list: ListContext;
  /** The snapshot is a write that will be given up. */
  readonly isRehearsal?: boolean;
}
