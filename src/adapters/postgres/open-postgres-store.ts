import {randomUUID} from 'node:crypto';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Clock} from '../../ports/clock.ts';
import {CommitFollower} from '../sql/commit-follower.ts';
import {CommitInstants} from '../sql/commit-instants.ts';
import {documentCache} from '../sql/document-cache.ts';
import {LayoutCache} from '../sql/graph-view.ts';
import {blind, only} from '../sql/statement.ts';
import type {StoreWatch} from '../sqlite/store-watch.ts';
import {CommitChannel} from './commit-channel.ts';
import {Connections} from './connections.ts';
import {DEFAULT_SERIAL, prepareDatabase} from './database.ts';
import {PgConnection} from './pg-connection.ts';
import {postgresDialect} from './postgres-dialect.ts';
import {DatabaseRefused, isConnectionLost} from './postgres-error.ts';
import {PostgresEventLog} from './postgres-event-log.ts';
import {PostgresGraphStore} from './postgres-graph-store.ts';
import {postgresTaskQueue} from './postgres-task-queue.ts';
import {Reading} from './reading.ts';
import {SharedTaskDesk} from './shared-task-desk.ts';
import {Writer} from './writer.ts';
import {WriterSession} from './writer-session.ts';

const DOCUMENTS_MAX = 100_000;
const CONNECTIONS_MAX = 8;
const READ_MILLIS_MAX = 30_000;
const RECONNECT_MILLIS_MAX = 10_000;
const COMMITS_CHANNEL = 'trellis_commits';
const TASKS_CHANNEL = 'trellis_tasks';

export interface PostgresStoreOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly defaultBranch?: BranchName;
  /** Connections for reads; one more writes, and one hears of the commits of others. */
  readonly connectionsMax?: number;
  /** What one statement of a read may take. */
  readonly readMillisMax?: number;
  readonly watch?: StoreWatch;
  /** How long a write waits for a database that is away before it is refused. */
  readonly reconnectMillisMax?: number;
}

export async function openPostgresGraphStore(options: PostgresStoreOptions): Promise<PostgresGraphStore> {
  const opened: {close(): Promise<void>}[] = [];
  try {
    return await open(options, opened);
  } catch (error) {
    for (const part of opened.reverse()) await part.close();
    if (!isConnectionLost(error)) throw error;
    throw new DatabaseRefused(`The database cannot be reached: ${(error as Error).message}`, {cause: error});
  }
}

async function open(
  options: PostgresStoreOptions,
  opened: {close(): Promise<void>}[],
): Promise<PostgresGraphStore> {
  const {url, clock} = options;
  const types = new Map<string, string>();
  const common = {url, types, ...(options.watch?.ran === undefined ? {} : {watch: options.watch.ran})};
  const preparing = await PgConnection.open(common);
  opened.push(preparing);
  const {identity, isNew, lock} = await prepareDatabase(
    preparing,
    options.defaultBranch ?? ('main' as BranchName),
    clock.nowMicros() as Instant,
    types,
  );
  const oldest = identity.createdAt;
  const documents = documentCache(DOCUMENTS_MAX);
  const session = {
    context: {
      dialect: postgresDialect,
      layouts: new LayoutCache(),
      cache: documents,
      defaultBranch: DEFAULT_SERIAL,
    },
    instants: new CommitInstants(clock, oldest),
    lock,
    oldest,
  };
  const reads = {...common, statementMillisMax: options.readMillisMax ?? READ_MILLIS_MAX};
  const connections = new Connections(reads, options.connectionsMax ?? CONNECTIONS_MAX);
  opened.push(connections);
  const follower = await connections.use(connection =>
    connection.snapshot(() => CommitFollower.load(session.context, oldest)),
  );
  session.instants.reach(follower.told);
  const reading = new Reading(connections, follower);
  const serverId = randomUUID();
  const notify = (payload: string) =>
    void reading
      .transaction(() => only(blind('SELECT pg_notify(?1, ?2)', [TASKS_CHANNEL, `${serverId} ${payload}`])))
      .catch(() => undefined);
  const desk = new SharedTaskDesk(clock, session.instants, notify);
  const events = new PostgresEventLog(reading);
  const sessionOn = (connection: PgConnection) => WriterSession.open(connection, {...session, tasks: desk});
  const catchUp = async () => {
    await reading.catchUp();
    events.tell();
  };
  const channel = new CommitChannel({url, types}, [COMMITS_CHANNEL, TASKS_CHANNEL], news => {
    const [sender, payload] = split(news?.payload ?? '');
    if (sender === serverId) return;
    if (news?.channel === TASKS_CHANNEL) desk.hear(payload);
    else catchUp().catch(() => undefined);
  });
  opened.push(channel);
  const [first] = await Promise.all([sessionOn(preparing), channel.open()]);
  // Commits between the load and the first announcement.
  await reading.catchUp();
  const writer = new Writer(
    {
      open: async () => sessionOn(await PgConnection.open(common)),
      follower,
      onCommit: (millis, writes) => {
        options.watch?.committed(millis, writes);
        events.tell();
      },
      announce: commit => blind('SELECT pg_notify(?1, ?2)', [COMMITS_CHANNEL, `${serverId} ${commit}`]),
      reconnectMillisMax: options.reconnectMillisMax ?? RECONNECT_MILLIS_MAX,
    },
    first,
  );
  const tasks = postgresTaskQueue(reading, desk);
  return new PostgresGraphStore({
    identity,
    isNew,
    reading,
    writer,
    instants: session.instants,
    channel,
    connections,
    tasks,
    events,
    session: {...session, tasks: desk},
    documents,
  });
}

function split(payload: string): readonly [sender: string, rest: string] {
  const end = payload.indexOf(' ');
  return [payload.slice(0, end), payload.slice(end + 1)];
}
