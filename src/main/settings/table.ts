import {type BranchName, parseBranchName} from '../../domain/branch/branch.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {LogLevel} from '../../ports/log.ts';
import {SOCKET_LIMITS} from '../../wire/socket/limits.ts';
import {
  databaseUrl,
  folder,
  hostName,
  jsonList,
  oneOf,
  origins,
  type SettingKind,
  text,
  webAddress,
  wholeNumber,
  yesOrNo,
} from './kinds.ts';
import {Oauth2Provider, OidcProvider} from './providers.ts';

export interface Setting<T, Default extends T | undefined = T> {
  readonly variable: `SERVICE_${string}`;
  readonly kind: SettingKind<T>;
  readonly default: Default;
  /** How the docs show a default that is not a plain value. */
  readonly defaultText?: string;
  readonly meaning: string;
  /** Never repeated in a message or a log line. */
  readonly secret?: true;
}

const branchName: SettingKind<BranchName> = {
  type: 'branch name',
  allowed: 'a branch name, such as main',
  parse(value) {
    try {
      return {is: 'good', value: parseBranchName(value)};
    } catch (error) {
      if (error instanceof ServiceError) return {is: 'bad', why: error.message};
      throw error;
    }
  },
};

const LOG_LEVELS: readonly LogLevel[] = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'];
const TEN_YEARS_SECONDS = 315_360_000;
const GIBIBYTE = 1_073_741_824;

const setting = <T, Default extends T | undefined>(row: Setting<T, Default>) => row;

export const DEFAULT_ADMIN_PASSWORD = 'service';

/** Every setting there is. Validation, the start-up refusals and docs/settings.md come from these rows. */
export const SETTINGS = {
  host: setting({
    variable: 'SERVICE_HOST',
    kind: hostName,
    default: '127.0.0.1',
    meaning: 'Address to listen on.',
  }),
  port: setting({
    variable: 'SERVICE_PORT',
    kind: wholeNumber(0, 65_535),
    default: 8000,
    meaning: 'Port to listen on; 0 takes any free one.',
  }),
  publicUrl: setting({
    variable: 'SERVICE_PUBLIC_URL',
    kind: webAddress,
    default: undefined,
    meaning: 'Base of redirects and links that leave the service.',
  }),
  dataFolder: setting({
    variable: 'SERVICE_DATA_DIR',
    kind: folder,
    default: './data',
    meaning: 'Embedded database, stored objects, repositories and the generated secret.',
  }),
  databaseUrl: setting({
    variable: 'SERVICE_DATABASE_URL',
    kind: databaseUrl,
    default: undefined,
    meaning:
      'Unset: the embedded store in the data folder. `postgres://user:password@host:port/database`: PostgreSQL.',
    secret: true,
  }),
  databaseConnections: setting({
    variable: 'SERVICE_DATABASE_CONNECTIONS',
    kind: wholeNumber(1, 1000),
    default: 8,
    meaning:
      'Connections to PostgreSQL for reads; each process has two more, to write and to hear of commits.',
  }),
  initialDefaultBranch: setting({
    variable: 'SERVICE_INITIAL_DEFAULT_BRANCH',
    kind: branchName,
    default: 'main' as BranchName,
    meaning: 'Name of the default branch; used once, at the first start.',
  }),
  initialAdminPassword: setting({
    variable: 'SERVICE_INITIAL_ADMIN_PASSWORD',
    kind: text(1, 256),
    default: DEFAULT_ADMIN_PASSWORD,
    meaning:
      'Password of the account `admin`; used once, at the first start. ' +
      'A first start on a host that others can reach refuses the default.',
    secret: true,
  }),
  initialAdminToken: setting({
    variable: 'SERVICE_INITIAL_ADMIN_TOKEN',
    kind: text(8, 512),
    default: undefined,
    meaning: 'API key of the account `admin`; used once, at the first start.',
    secret: true,
  }),
  securitySecretKey: setting({
    variable: 'SERVICE_SECURITY_SECRET_KEY',
    kind: text(16, 1024),
    default: undefined,
    defaultText: 'generated once, kept in the data folder',
    meaning:
      'Signs session tokens and keys the hashes of API keys. Changing it ends every session and API key.',
    secret: true,
  }),
  accessTokenLifetimeSeconds: setting({
    variable: 'SERVICE_SECURITY_ACCESS_TOKEN_LIFETIME',
    kind: wholeNumber(1, TEN_YEARS_SECONDS),
    default: 3600,
    meaning: 'Seconds that an access token is good for.',
  }),
  refreshTokenLifetimeSeconds: setting({
    variable: 'SERVICE_SECURITY_REFRESH_TOKEN_LIFETIME',
    kind: wholeNumber(1, TEN_YEARS_SECONDS),
    default: 2_592_000,
    meaning: 'Seconds that a refresh token is good for.',
  }),
  oauth2Providers: setting({
    variable: 'SERVICE_SECURITY_OAUTH2_PROVIDERS',
    kind: jsonList<Oauth2Provider>(
      Oauth2Provider,
      'a JSON list of {name, client_id, client_secret, authorization_url, token_url} ' +
        '(also scopes, userinfo_url, display_label, icon)',
    ),
    default: [],
    meaning: 'OAuth 2.0 providers.',
    secret: true,
  }),
  oidcProviders: setting({
    variable: 'SERVICE_SECURITY_OIDC_PROVIDERS',
    kind: jsonList<OidcProvider>(
      OidcProvider,
      'a JSON list of {name, client_id, client_secret, discovery_url} ' +
        '(also scopes, authorization_url, token_url, userinfo_url, display_label, icon)',
    ),
    default: [],
    meaning: 'OpenID Connect providers.',
    secret: true,
  }),
  signOnDefaultGroup: setting({
    variable: 'SERVICE_SECURITY_SSO_USER_DEFAULT_GROUP',
    kind: text(1, 256),
    default: undefined,
    meaning: 'Group of those who sign on for the first time and whose provider names none.',
  }),
  signOnFinalOrigins: setting({
    variable: 'SERVICE_SECURITY_SSO_FINAL_ORIGINS',
    kind: origins,
    default: [],
    defaultText: 'none',
    meaning: 'Origins beside its own to which the service sends a browser after single sign-on.',
  }),
  allowAnonymousAccess: setting({
    variable: 'SERVICE_ALLOW_ANONYMOUS_ACCESS',
    kind: yesOrNo,
    default: undefined,
    defaultText: 'true on a loopback host, false otherwise',
    meaning: 'Whether GET and OPTIONS are answered without credentials.',
  }),
  bodyBytesMax: setting({
    variable: 'SERVICE_API_MAX_BODY_SIZE',
    kind: wholeNumber(1024, GIBIBYTE),
    default: 10_485_760,
    meaning: 'Bytes of one JSON request body; over it the answer is 413.',
  }),
  pageSizeMax: setting({
    variable: 'SERVICE_API_MAX_PAGE_SIZE',
    kind: wholeNumber(1, 1_000_000),
    default: 10_000,
    meaning: 'Rows of one page, and of a list that asks for no page.',
  }),
  queryDepthMax: setting({
    variable: 'SERVICE_GRAPHQL_MAX_DEPTH',
    kind: wholeNumber(1, 1000),
    default: 50,
    meaning: 'Levels of one GraphQL query.',
  }),
  queryTokensMax: setting({
    variable: 'SERVICE_GRAPHQL_MAX_TOKENS',
    kind: wholeNumber(100, 10_000_000),
    default: 60_000,
    meaning: 'Words and signs of one GraphQL document.',
  }),
  queryAliasesMax: setting({
    variable: 'SERVICE_GRAPHQL_MAX_ALIASES',
    kind: wholeNumber(0, 1_000_000),
    default: 2000,
    meaning: 'Aliases of one GraphQL document.',
  }),
  queryFieldsMax: setting({
    variable: 'SERVICE_GRAPHQL_MAX_COMPLEXITY',
    kind: wholeNumber(1, 10_000_000),
    default: 20_000,
    meaning: 'Fields of one GraphQL document with its fragments written out.',
  }),
  queryRowsMax: setting({
    variable: 'SERVICE_GRAPHQL_MAX_ROWS',
    kind: wholeNumber(1, 100_000_000),
    default: 500_000,
    meaning: 'Objects of one GraphQL answer, all levels together.',
  }),
  querySecondsMax: setting({
    variable: 'SERVICE_QUERY_TIMEOUT',
    kind: wholeNumber(1, 86_400),
    default: 30,
    meaning: 'Seconds that one read of the database may take before it is given up.',
  }),
  corsOrigins: setting({
    variable: 'SERVICE_API_CORS_ALLOW_ORIGINS',
    kind: origins,
    default: [],
    defaultText: 'none',
    meaning: 'Origins whose pages may call the API with credentials.',
  }),
  socketsPerAccountMax: setting({
    variable: 'SERVICE_SOCKET_MAX_PER_ACCOUNT',
    kind: wholeNumber(1, 1_000_000),
    default: SOCKET_LIMITS.socketsPerAccountMax,
    meaning: 'WebSockets that one account may have open at once.',
  }),
  subscriptionsPerSocketMax: setting({
    variable: 'SERVICE_SOCKET_MAX_SUBSCRIPTIONS',
    kind: wholeNumber(1, 10_000),
    default: SOCKET_LIMITS.operationsPerSocketMax,
    meaning: 'Subscriptions and other operations that run on one WebSocket at once.',
  }),
  socketMessageBytesMax: setting({
    variable: 'SERVICE_SOCKET_MAX_MESSAGE_SIZE',
    kind: wholeNumber(1024, GIBIBYTE),
    default: SOCKET_LIMITS.messageBytesMax,
    meaning: 'Bytes of one message of a client on a WebSocket; over it the socket is closed with 1009.',
  }),
  socketKeepAliveSeconds: setting({
    variable: 'SERVICE_SOCKET_KEEP_ALIVE',
    kind: wholeNumber(1, 3600),
    default: SOCKET_LIMITS.keepAliveSeconds,
    meaning: 'Seconds between two pings on a WebSocket; a client that does not answer one is gone.',
  }),
  storageDriver: setting({
    variable: 'SERVICE_STORAGE_DRIVER',
    kind: oneOf(['local', 's3']),
    default: 'local',
    meaning: 'Where stored objects are kept: in a folder, or in a bucket of an S3-compatible service.',
  }),
  storageFolder: setting({
    variable: 'SERVICE_STORAGE_LOCAL_PATH',
    kind: folder,
    default: undefined,
    defaultText: '`storage` in the data folder',
    meaning: 'The folder of the driver `local`.',
  }),
  storageBucket: setting({
    variable: 'SERVICE_STORAGE_BUCKET_NAME',
    kind: text(1, 255),
    default: undefined,
    meaning:
      'The bucket of the driver `s3`. Its credentials are those of the environment: ' +
      '`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or what else the AWS SDK finds.',
  }),
  storageEndpoint: setting({
    variable: 'SERVICE_STORAGE_ENDPOINT_URL',
    kind: text(1, 1024),
    default: undefined,
    defaultText: 'Amazon S3',
    meaning: 'Host and port of the S3-compatible service, with or without `https://`.',
  }),
  storageUsesTls: setting({
    variable: 'SERVICE_STORAGE_USE_SSL',
    kind: yesOrNo,
    default: true,
    meaning: 'Whether an endpoint that names no scheme is reached by HTTPS.',
  }),
  storageRegion: setting({
    variable: 'SERVICE_STORAGE_REGION',
    kind: text(1, 64),
    default: 'us-east-1',
    meaning: 'The region of the bucket.',
  }),
  storageAcl: setting({
    variable: 'SERVICE_STORAGE_DEFAULT_ACL',
    kind: text(1, 64),
    default: undefined,
    meaning: 'The access list that each object of the bucket gets, such as `private`.',
  }),
  storageFileBytesMax: setting({
    variable: 'SERVICE_STORAGE_MAX_FILE_SIZE',
    kind: wholeNumber(1, 1024 * GIBIBYTE),
    default: 52_428_800,
    meaning: 'Bytes of one upload; over it the answer is 413 and nothing is kept.',
  }),
  gitSyncSeconds: setting({
    variable: 'SERVICE_GIT_SYNC_INTERVAL',
    kind: wholeNumber(0, 86_400),
    default: 60,
    meaning: 'Seconds between two looks at each Git repository; 0 looks only when asked.',
  }),
  gitFetchSecondsMax: setting({
    variable: 'SERVICE_GIT_TIMEOUT',
    kind: wholeNumber(1, 86_400),
    default: 300,
    meaning: 'Seconds that a Git repository gets to answer before it counts as unreachable.',
  }),
  pythonCommand: setting({
    variable: 'SERVICE_PYTHON',
    kind: text(1, 4096),
    default: 'python3',
    meaning: 'The Python (3.9 or later) that templates and transforms run on: a command or a path.',
  }),
  pythonEnvironmentFolder: setting({
    variable: 'SERVICE_PYTHON_ENVIRONMENT',
    kind: folder,
    default: undefined,
    defaultText: '`python` in the data folder',
    meaning:
      'Folder of the virtual environment that the service makes for templates; several services may share it.',
  }),
  transformProcesses: setting({
    variable: 'SERVICE_TRANSFORM_PROCESSES',
    kind: wholeNumber(1, 256),
    default: 2,
    meaning: 'Python processes that render templates at the same time, and as many for Python transforms.',
  }),
  transformMemoryBytesMax: setting({
    variable: 'SERVICE_TRANSFORM_MAX_MEMORY',
    kind: wholeNumber(67_108_864, 1024 * GIBIBYTE),
    default: 536_870_912,
    meaning: 'Bytes of memory of one Python process; a template or transform that wants more fails.',
  }),
  taskParallelMax: setting({
    variable: 'SERVICE_TASK_PARALLEL_MAX',
    kind: wholeNumber(0, 256),
    default: 4,
    meaning:
      'Tasks in the background that one process runs at the same time, one of them kept for urgent work; ' +
      '0 leaves them to the other processes on the same database.',
  }),
  taskKeepDays: setting({
    variable: 'SERVICE_TASK_KEEP_DAYS',
    kind: wholeNumber(1, 36_500),
    default: 30,
    meaning: 'Days that a task which is over is kept, with its log.',
  }),
  shutdownSeconds: setting({
    variable: 'SERVICE_SHUTDOWN_TIMEOUT',
    kind: wholeNumber(0, 3600),
    default: 10,
    meaning: 'Seconds that running requests get to finish when the service is told to stop.',
  }),
  logLevel: setting<LogLevel, LogLevel>({
    variable: 'SERVICE_LOG_LEVEL',
    kind: oneOf(LOG_LEVELS),
    default: 'INFO',
    meaning: 'Least serious line that is logged.',
  }),
  traceEnable: setting({
    variable: 'SERVICE_TRACE_ENABLE',
    kind: yesOrNo,
    default: false,
    meaning: 'Whether traces are collected and sent to an OpenTelemetry collector.',
  }),
  traceExporterType: setting<'otlp', 'otlp'>({
    variable: 'SERVICE_TRACE_EXPORTER_TYPE',
    kind: oneOf(['otlp']),
    default: 'otlp',
    meaning: 'How traces are exported.',
  }),
  traceProtocol: setting<'grpc' | 'http', 'grpc'>({
    variable: 'SERVICE_TRACE_EXPORTER_PROTOCOL',
    kind: oneOf(['grpc', 'http']),
    default: 'grpc',
    meaning: 'How the collector is spoken to: OTLP over gRPC, or over HTTP as JSON.',
  }),
  traceEndpoint: setting({
    variable: 'SERVICE_TRACE_EXPORTER_ENDPOINT',
    kind: webAddress,
    default: undefined,
    defaultText: 'http://localhost:4317 for grpc, http://localhost:4318 for http',
    meaning: 'Address of the collector.',
  }),
  printQueryDetails: setting({
    variable: 'SERVICE_MISC_PRINT_QUERY_DETAILS',
    kind: yesOrNo,
    default: false,
    meaning: 'Logs every database query with its parameters.',
  }),
} as const;
