import type {FastifyReply} from 'fastify';
import {type Static, Type} from 'typebox';
import {authorize, type Caller} from '../../app/caller.ts';
import {requireNode} from '../../app/node/find-node.ts';
import {putQueryGroup} from '../../app/query/put-query-group.ts';
import {RecordedSnapshot} from '../../app/query/recorded-snapshot.ts';
import {QUERY_KIND} from '../../app/query/settle-queries.ts';
import type {Services} from '../../app/services.ts';
import {writing} from '../../app/write.ts';
import type {Json} from '../../base/json.ts';
import {FULL_ACCESS} from '../../domain/access/access.ts';
import {authenticationRequired} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {Answerer} from '../graphql/answerer.ts';
import type {ErrorJson} from '../graphql/errors.ts';
import {HttpProblem} from '../http/problem.ts';
import {restReadPointOf} from '../read-point.ts';
import {type AnyRoute, COMMON_QUERY, type RouteRequest, route} from './route.ts';
import type {CallerOf} from './schema-routes.ts';

type Deps = Pick<Services, 'store' | 'schemas' | 'ids'> & {readonly answerer: Answerer};

const PARAMS = {query_id: Type.String({description: 'The id or the name of a stored query.'})};

const QUERY = {
  update_group: Type.Optional(
    Type.Boolean({
      default: false,
      description: `Keeps what the query read as the members of a CoreGraphQLQueryGroup.`,
    }),
  ),
  subscribers: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Objects that the group gets as subscribers, with update_group.',
    }),
  ),
};

const BODY = Type.Optional(
  Type.Object({
    variables: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  }),
);

const ANSWER = Type.Object({data: Type.Unknown()}, {examples: [{data: {InfraDevice: {count: 3}}}]});

interface Words {
  readonly branch?: string | undefined;
  readonly at?: string | undefined;
  readonly update_group?: boolean | undefined;
  readonly subscribers?: readonly string[] | undefined;
}

type Asked = Pick<RouteRequest<unknown, unknown, unknown>, 'http' | 'requestId'> & {
  readonly name: string;
  readonly words: Words;
  /** The variables, once the query is known. */
  readonly variables: (
    query: string,
    schema: Parameters<Answerer['face']>[0],
  ) => Readonly<Record<string, Json>>;
};

/** Stored queries, run by their name. */
export function queryRoutes(deps: Deps, callerOf: CallerOf): readonly AnyRoute[] {
  const {store, schemas, answerer} = deps;

  async function run({http, requestId, name, words, variables: variablesOf}: Asked, reply: FastifyReply) {
    const caller = await callerOf({http});
    const point = await restReadPointOf(store, words);
    const {branch} = point;
    const needed = {is: 'object', action: 'view', kind: QUERY_KIND} as const;
    authorize(caller, {...needed, onDefaultBranch: branch === store.defaultBranch});
    const snapshot = await store.snapshot(point);
    const schema = schemas.of(snapshot);
    const stored = await requireNode(snapshot, schema, QUERY_KIND, {id: name});
    const query = String(stored.value('query'));
    if (http.method === 'GET' && answerer.isMutation(query)) {
      void reply.header('allow', 'POST');
      throw new HttpProblem(405, 'A mutation must be sent with POST');
    }
    const keepsGroup = words.update_group === true;
    // Only those who are known leave something behind.
    if (keepsGroup && http.method === 'GET' && caller.account === null) throw authenticationRequired();
    const variables = variablesOf(query, schema);
    const recorded = new RecordedSnapshot(snapshot, schema);
    const answer = await answerer.answer({
      query,
      variables,
      branch,
      at: undefined,
      caller,
      requestId,
      operationName: undefined,
      snapshot: keepsGroup ? recorded : snapshot,
    });
    if (answer.errors.length > 0) {
      const denied = answer.errors.find(({extensions}) => extensions.code === 'PERMISSION_DENIED');
      const status = denied === undefined ? 502 : 403;
      return reply.code(status).send(queryProblem(status, stored, answer.errors));
    }
    if (keepsGroup) await keepGroup(caller, stored, variables, recorded, words.subscribers ?? []);
    return reply.header('content-type', 'application/json; charset=utf-8').send(answer.text);
  }

  async function keepGroup(
    caller: Caller,
    stored: NodeRecord,
    variables: Readonly<Record<string, Json>>,
    {branch, read}: RecordedSnapshot,
    subscribers: readonly string[],
  ): Promise<void> {
    const query = {id: stored.id, name: String(stored.value('name'))};
    const keeper = {account: caller.account, access: FULL_ACCESS};
    await writing(deps, keeper, {branch, message: `Group of the query ${query.name}`}, scope =>
      putQueryGroup(scope, {query, variables, read, subscribers}),
    );
  }

  const common = {
    path: '/api/query/:query_id',
    params: PARAMS,
    query: QUERY,
    answer: ANSWER,
    errors: [403, 404, 502],
  } as const;

  return [
    route({
      ...common,
      method: 'GET',
      summary: 'Run a stored query',
      description:
        'Every other parameter is a variable of the query, read in the type that the query declares.',
      handle({params, query, http, requestId}, reply) {
        const texts = Object.entries(http.query as Record<string, string | readonly string[]>).filter(
          ([key]) => key !== '' && !Object.hasOwn(KNOWN, key),
        );
        const variables: Asked['variables'] = (document, schema) =>
          answerer.variablesFromTexts(schema, document, Object.fromEntries(texts));
        return run({http, requestId, name: params.query_id, words: query, variables}, reply);
      },
    }),
    route({
      ...common,
      method: 'POST',
      summary: 'Run a stored query with variables',
      body: BODY,
      handle({params, query, body, http, requestId}, reply) {
        const given = (body as Static<typeof BODY> | undefined)?.variables ?? {};
        const variables = () => given as Readonly<Record<string, Json>>;
        return run({http, requestId, name: params.query_id, words: query, variables}, reply);
      },
    }),
  ];
}

const KNOWN = {...COMMON_QUERY, ...QUERY};

/** The errors of a query that was stored are not those of the request: it was understood. */
function queryProblem(status: number, stored: NodeRecord, errors: readonly ErrorJson[]): object {
  return {
    data: null,
    errors: errors.map(({message, path, locations}) => ({
      message: `GraphQLQuery ${String(stored.value('name'))}: ${message}`,
      ...(path === undefined ? {} : {path}),
      ...(locations === undefined ? {} : {locations}),
      extensions: {code: status},
    })),
  };
}
