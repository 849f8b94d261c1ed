import {FolderBackups, removeUnfinishedBackups} from '../adapters/backup/folder-backups.ts';
import {systemClock} from '../adapters/clock/system-clock.ts';
import {traced} from '../adapters/telemetry/traced.ts';
import {prepareAccounts} from '../app/first-start/accounts.ts';
import {prepareGraph} from '../app/first-start/prepare-graph.ts';
import {LastVerification} from '../app/operations/last-verification.ts';
import {validationError} from '../domain/errors.ts';
import type {Backups} from '../ports/backups.ts';
import type {Log} from '../ports/log.ts';
import {repositoryFields} from '../wire/graphql/repository/repository-fields.ts';
import {addGraphql, answererOf} from '../wire/graphql/transport/graphql-routes.ts';
import {GraphqlWatch} from '../wire/graphql/watch.ts';
import {createHttpServer} from '../wire/http/server.ts';
import {authRoutes} from '../wire/rest/auth-routes.ts';
import {metricsRoutes} from '../wire/rest/metrics-routes.ts';
import {operationRoutes} from '../wire/rest/operation-routes.ts';
import {queryRoutes} from '../wire/rest/query-routes.ts';
import {schemaRoutes} from '../wire/rest/schema-routes.ts';
import {serviceRoutes} from '../wire/rest/service-routes.ts';
import {storageRoutes} from '../wire/rest/storage-routes.ts';
import {localAddress} from './banner.ts';
import {composeContent, openGit} from './content.ts';
import {prepareDataFolder} from './data-folder.ts';
import {composeEvents} from './events.ts';
import {EXIT, StartRefused} from './exit-codes.ts';
import {openObjects} from './open-objects.ts';
import type {OpenStore} from './open-store.ts';
import {recordKeyUses} from './record-key-uses.ts';
import {loadSecretKey} from './secret-key.ts';
import {serviceFacts} from './service-facts.ts';
import {composeServices} from './services.ts';
import {refuseDefaultPassword} from './settings/first-start.ts';
import type {Settings} from './settings/read.ts';
import {SETTINGS} from './settings/table.ts';
import {composeSignOn} from './sign-on.ts';
import {measureStore} from './store-metrics.ts';
import {openTelemetry} from './telemetry.ts';
import {VERSION} from './version.ts';
import {composeWork} from './work.ts';

/** The tools of PostgreSQL make better ones than we could. */
const BACKUPS_ELSEWHERE: Backups = {
  open: async () => {
    throw validationError(
      'The database is PostgreSQL: back it up with pg_dump or with what your operators use.',
    );
  },
};

/** A service that answers requests. */
export interface Service {
  readonly address: string;
  /** Lets running requests finish, at most `settings.shutdownSeconds`; false when some had to be cut off. */
  stop(): Promise<boolean>;
}

/** A server answers requests and works on tasks; a worker does the latter alone, and tells how it is. */
export type Role = 'server' | 'worker';

/** Puts the parts together and listens. What was opened is closed again when a later part refuses. */
export async function startService(
  settings: Settings,
  log: Log,
  openStore: OpenStore,
  role: Role = 'server',
): Promise<Service> {
  if (role === 'worker') refuseLonelyWorker(settings);
  const folder = await prepareDataFolder(settings.dataFolder);
  const secretKey = settings.securitySecretKey ?? (await loadSecretKey(folder));
  const telemetry = await openTelemetry(settings, log);
  const {metrics, tracer} = telemetry;
  const store = await openStore(folder, settings, telemetry.storeWatch);
  try {
    measureStore(metrics, store);
    await removeUnfinishedBackups(folder);
    const folderBackups = new FolderBackups({
      folder,
      storageFolder: settings.storageDriver === 'local' ? settings.storageFolder : undefined,
      version: VERSION,
      clock: systemClock,
    });
    const backups = settings.databaseUrl === undefined ? folderBackups : BACKUPS_ELSEWHERE;
    refuseDefaultPassword(settings, store.isNew);
    const composed = composeServices(store, settings, secretKey, log);
    const watch = new GraphqlWatch(metrics, tracer);
    const git = traced(openGit(folder, settings), 'git', tracer);
    const rootFields = [...composed.rootFields, repositoryFields(git)];
    const answerer = answererOf({...composed, rootFields, watch});
    const services = {...composed, rootFields, analyseQuery: answerer.analyseQuery};
    await prepareGraph(services);
    await prepareAccounts(
      {...services, keyHash: services.access.keyHash},
      {adminPassword: settings.initialAdminPassword, adminToken: settings.initialAdminToken},
    );
    const objects = await openObjects(folder, settings, services.ids);
    const content = await composeContent(folder, settings, services, {git, answerer, objects});
    const work = composeWork(services, settings, {metrics, tracer}, content.handlers);
    const lastVerification = new LastVerification();
    const server = await createHttpServer({
      log,
      clock: systemClock,
      metrics,
      tracer,
      version: VERSION,
      bodyBytesMax: settings.bodyBytesMax,
      corsOrigins: settings.corsOrigins,
      commits: store,
      healthChecks: [
        {name: 'database', check: () => store.check()},
        {name: 'message_bus', check: () => store.checkChannel()},
        {name: 'cache', check: () => store.checkCache()},
        {name: 'task_manager', check: () => work.check()},
      ],
      lastVerification,
      routes:
        role === 'worker'
          ? metricsRoutes(metrics)
          : [
              ...authRoutes(services.access, settings, services.origins),
              ...composeSignOn(services.access, settings),
              ...schemaRoutes(services, ({http}) => services.callerOf(http)),
              ...content.routes,
              ...queryRoutes({...services, answerer}, ({http}) => services.callerOf(http)),
              ...storageRoutes({objects, fileBytesMax: settings.storageFileBytesMax}, ({http}) =>
                services.callerOf(http),
              ),
              ...metricsRoutes(metrics),
              ...operationRoutes({store, objects, backups, lastVerification}, ({http}) =>
                services.callerOf(http),
              ),
              ...serviceRoutes(services, serviceFacts(settings), ({http}) => services.callerOf(http)),
            ],
    });
    let stopEvents = async () => {};
    if (role === 'server') {
      await addGraphql(server, {...services, watch}, answerer);
      stopEvents = composeEvents(server, answerer, services, settings, metrics);
    }
    const port = await listen(server, settings);
    work.start();
    const stopRecording = recordKeyUses(services.access.keyUses, log);
    return {
      address: localAddress(settings.host, port),
      async stop() {
        const millisMax = settings.shutdownSeconds * 1000;
        const [inTime] = await Promise.all([closeWithin(server, millisMax), work.stop(millisMax)]);
        await stopRecording();
        await stopEvents();
        await content.close();
        await objects.close();
        await services.planner.close();
        await store.close();
        await telemetry.close();
        return inTime;
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Only a database server has room for more than one process. */
function refuseLonelyWorker({databaseUrl, taskParallelMax}: Settings): void {
  const why =
    databaseUrl === undefined
      ? `A worker of its own needs PostgreSQL: set ${SETTINGS.databaseUrl.variable}. On the embedded store the server does the work itself.`
      : taskParallelMax === 0
        ? `${SETTINGS.taskParallelMax.variable} is 0, which leaves a worker nothing to do.`
        : undefined;
  if (why !== undefined) throw new StartRefused(EXIT.settings, why);
}

type HttpServer = Awaited<ReturnType<typeof createHttpServer>>;

async function listen(server: HttpServer, {host, port}: Settings): Promise<number> {
  try {
    await server.listen({host, port});
  } catch (error) {
    throw addressRefused(host, port, error);
  }
  const bound = server.server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : port;
}

function addressRefused(host: string, port: number, error: unknown): StartRefused {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const {host: hostRow, port: portRow} = SETTINGS;
  if (code === 'EADDRINUSE') {
    const message = `Port ${port} on ${host} is in use by another process; stop it or choose another ${portRow.variable}.`;
    return new StartRefused(EXIT.address, message, {cause: error});
  }
  const message = `Cannot listen on ${host} port ${port} (${String(code)}); check ${hostRow.variable} and ${portRow.variable}.`;
  return new StartRefused(EXIT.address, message, {cause: error});
}

const IDLE_SWEEP_MILLIS = 50;

async function closeWithin(server: HttpServer, millisMax: number): Promise<boolean> {
  const closed = server.close().then(() => true);
  const {promise: expired, resolve} = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), millisMax);
  // An answer that was under way when the server began to close leaves its connection open behind it.
  const sweep = setInterval(() => server.server.closeIdleConnections(), IDLE_SWEEP_MILLIS);
  const inTime = await Promise.race([closed, expired]);
  clearTimeout(timer);
  clearInterval(sweep);
  if (inTime) return true;
  server.server.closeAllConnections();
  await closed;
  return false;
}
