import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll} from 'vitest';
import {timeOrderedIds} from '../../src/adapters/ids/time-ordered-ids.ts';
import {createJsonLog} from '../../src/adapters/log/pino-log.ts';
import {argon2Passwords} from '../../src/adapters/passwords/argon2-passwords.ts';
import {ThreadedPlanner} from '../../src/adapters/schema-planner/threaded-planner.ts';
import {openTestStore} from '../../src/adapters/test-store-harness.ts';
import {joseTokens} from '../../src/adapters/tokens/jose-tokens.ts';
import {type AccessSettings, accessServices} from '../../src/app/access/access-services.ts';
import {PendingSignOns} from '../../src/app/access/pending-sign-ons.ts';
import {EventFeed} from '../../src/app/event/event-feed.ts';
import {prepareAccounts} from '../../src/app/first-start/accounts.ts';
import {prepareGraph} from '../../src/app/first-start/prepare-graph.ts';
import {processedSchemas} from '../../src/app/schema/processed-schemas.ts';
import type {Json} from '../../src/base/json.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import type {IdentityProvider} from '../../src/ports/identity-provider.ts';
import {accessFields} from '../../src/wire/graphql/access/access-fields.ts';
import {branchRootFields} from '../../src/wire/graphql/branch/branch-root-fields.ts';
import {eventFields} from '../../src/wire/graphql/event/event-fields.ts';
import {GRAPHQL_LIMITS} from '../../src/wire/graphql/limits.ts';
import {addGraphql} from '../../src/wire/graphql/transport/graphql-routes.ts';
import {callerOf} from '../../src/wire/http/credentials.ts';
import {authRoutes} from '../../src/wire/rest/auth-routes.ts';
import {schemaRoutes} from '../../src/wire/rest/schema-routes.ts';
import {signOnRoutes} from '../../src/wire/rest/sign-on-routes.ts';
import {addGraphqlSockets} from '../../src/wire/socket/graphql-sockets.ts';
import {SOCKET_LIMITS, type SocketLimits} from '../../src/wire/socket/limits.ts';
import {NOON, openServer} from './open-server.ts';

export const MAIN = 'main' as BranchName;
export const SECRET_KEY = 'the secret of the tests, long enough';
export const ADMIN_TOKEN = 'the-key-of-admin';

export type AccessWorld = Awaited<ReturnType<typeof openAccessWorld>>;

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: unknown;
  readonly address?: string;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: readonly {readonly name: string; readonly value: string}[];
}

interface Options {
  readonly providers?: readonly IdentityProvider[];
  readonly defaultGroup?: string;
  readonly settings?: Partial<AccessSettings>;
  readonly publicUrl?: string;
  readonly corsOrigins?: string[];
  readonly sockets?: Partial<SocketLimits>;
}

/** A whole service in this process, with the accounts of a first start and a clock that the test sets. */
export async function openAccessWorld(options: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-access-'));
  const time = {micros: NOON};
  const clock = {
    nowMicros() {
      time.micros += 1;
      return time.micros;
    },
  };
  const store = await openTestStore({folder, clock, readWorkers: 0});
  const planner = new ThreadedPlanner();
  const lines: Record<string, unknown>[] = [];
  const to = {write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)};
  const log = createJsonLog({level: 'INFO', clock, to});
  const settings = {
    accessTokenLifetimeSeconds: 3600,
    refreshTokenLifetimeSeconds: 2_592_000,
    allowAnonymousAccess: true,
    publicUrl: options.publicUrl,
    ...options.settings,
  };
  const parts = {
    store,
    schemas: processedSchemas(),
    clock,
    ids: timeOrderedIds(clock),
    log,
    passwords: argon2Passwords,
  };
  const access = accessServices({
    ...parts,
    tokens: joseTokens(SECRET_KEY),
    settings,
    secretKey: SECRET_KEY,
  });
  await prepareGraph(parts);
  await prepareAccounts({...parts, ...access}, {adminPassword: 'service', adminToken: ADMIN_TOKEN});
  const origins = {publicUrl: options.publicUrl, allowed: options.corsOrigins ?? []};
  const whoAsks = callerOf(access, origins);
  const {server} = await openServer({
    bodyBytesMax: 1_000_000,
    routes: [
      ...authRoutes(access, settings, origins),
      ...signOnRoutes(
        {...access, pending: new PendingSignOns(), defaultGroup: options.defaultGroup},
        {providers: options.providers ?? [], cookies: settings, finalOrigins: ['https://app.example.com']},
      ),
      ...schemaRoutes({...parts, planner}, ({http}) => whoAsks(http)),
    ],
  });
  const answerer = await addGraphql(server, {
    ...parts,
    merges: store,
    events: store.events,
    tasks: store.tasks,
    limits: GRAPHQL_LIMITS,
    version: '0.0.0-test',
    callerOf: whoAsks,
    rootFields: [accessFields(access), branchRootFields, eventFields(store.events)],
  });
  const feed = new EventFeed(store.events, log);
  const limits = {...SOCKET_LIMITS, ...options.sockets};
  addGraphqlSockets(server, {store, access, origins, log, answerer, feed, limits});
  let listening: Promise<string> | undefined;
  afterAll(async () => {
    await server.close();
    await feed.close();
    await planner.close();
    await store.close();
    rmSync(folder, {recursive: true, force: true});
  });

  async function ask(
    method: 'GET' | 'POST' | 'OPTIONS',
    url: string,
    {headers = {}, payload, address = '192.0.2.1'}: Asked = {},
  ): Promise<Answer> {
    const answer = await server.inject({
      method,
      url,
      headers,
      remoteAddress: address,
      ...(payload === undefined ? {} : {payload: payload as object}),
    });
    const text = answer.body;
    const isJson = String(answer.headers['content-type']).includes('json');
    return {
      status: answer.statusCode,
      body: text === '' || !isJson ? text : JSON.parse(text),
      headers: answer.headers,
      cookies: answer.cookies,
    };
  }

  const logIn = (username = 'admin', password = 'service', address?: string) =>
    ask('POST', '/api/auth/login', {
      payload: {username, password},
      ...(address === undefined ? {} : {address}),
    });

  async function make(
    kind: string,
    values: Readonly<Record<string, Json>>,
    links: Readonly<Record<string, NodeId | readonly NodeId[]>> = {},
    branch: BranchName = MAIN,
  ): Promise<NodeId> {
    const id = parts.ids.nodeId();
    await store.write(branch, {account: null}, async draft => {
      const attributes = Object.entries(values).map(
        ([name, value]) => [name, {value, isDefault: false}] as const,
      );
      await draft.create({id, kind, attributes: Object.fromEntries(attributes)});
      for (const [relationship, peers] of Object.entries(links)) {
        for (const peer of [peers].flat()) await draft.link({node: id, relationship, peer: peer});
      }
    });
    return id;
  }

  return {
    store,
    server,
    access,
    lines,
    time,
    ask,
    logIn,
    make,
    pass: (seconds: number) => {
      time.micros += seconds * 1_000_000;
    },
    /** Where sockets are opened; the server listens from the first time on. */
    socketUrl: async (branch?: string) => {
      listening ??= server.listen({host: '127.0.0.1', port: 0});
      const url = (await listening).replace('http:', 'ws:');
      return branch === undefined ? `${url}/graphql` : `${url}/graphql/${branch}`;
    },
    graphql: (query: string, headers: Readonly<Record<string, string>>, branch = 'main') =>
      ask('POST', `/graphql/${branch}`, {headers, payload: {query}}),
    /** An account with just these roles, known by an API key. */
    async account(
      name: string,
      roles: readonly NodeId[],
    ): Promise<{id: NodeId; key: Record<string, string>}> {
      const id = await make('CoreAccount', {name, password: '$none$none', status: 'active'});
      await make('CoreAccountGroup', {name: `${name}s`}, {members: id, roles});
      const secret = `key-of-${name}`;
      await make('InternalAccountToken', {token: access.keyHash(secret)}, {account: id});
      return {id, key: {'x-service-key': secret}};
    },
    async idOf(kind: string, name: string): Promise<NodeId> {
      const head = await store.snapshot({branch: MAIN});
      const {found} = await head.query({
        kind,
        where: {is: 'attribute', attribute: 'name', property: 'value', test: {op: 'in', values: [name]}},
      });
      return found[0]!.node.id;
    },
    update: (id: NodeId, values: Readonly<Record<string, Json>>) =>
      store.write(MAIN, {account: null}, draft =>
        draft.update(
          id,
          Object.fromEntries(
            Object.entries(values).map(([name, value]) => [name, {value, isDefault: false}]),
          ),
        ),
      ),
  };
}

export const bearer = (token: string) => ({authorization: `Bearer ${token}`});
export const ADMIN_KEY = {'x-service-key': ADMIN_TOKEN};
