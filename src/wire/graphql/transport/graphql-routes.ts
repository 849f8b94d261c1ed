import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import {OperationTypeNode} from 'graphql';
import type {Caller} from '../../../app/caller.ts';
import {type Awaitable, whenReady} from '../../../base/awaitable.ts';
import type {BranchName} from '../../../domain/branch/branch.ts';
import {HttpProblem} from '../../http/problem.ts';
import {sendProblem} from '../../http/send-problem.ts';
import {readPointOf} from '../../read-point.ts';
import {Answerer} from '../answerer.ts';
import type {GraphqlServices} from '../engine.ts';
import {RequestRefused} from '../errors.ts';
import {addGraphiqlAssets, sendGraphiql} from '../graphiql/graphiql-page.ts';
import {serviceFields} from '../service/service-fields.ts';
import type {RootFieldsMaker} from '../types/root-fields.ts';
import type {GraphqlWatch} from '../watch.ts';
import {type Asked, askedInBody, askedInUrl, last, parametersOf} from './graphql-request.ts';
import {bodyOf, isBrowser} from './graphql-response.ts';
import {problemAnswer} from './problem-body.ts';

export interface GraphqlDeps extends GraphqlServices {
  /** Who a request comes from; refuses what is not a valid credential. */
  callerOf(request: FastifyRequest): Awaitable<Caller>;
  /** Root fields that other areas of the service bring. */
  readonly rootFields: readonly RootFieldsMaker[];
  /** Sees every operation; nobody unless given. */
  readonly watch?: GraphqlWatch;
}

const KNOWN_PARAMETERS: ReadonlySet<string> = new Set([
  'branch',
  'at',
  'query',
  'variables',
  'operationName',
]);

/** Who answers GraphQL, over whatever it comes. */
export const answererOf = (deps: Omit<GraphqlDeps, 'callerOf'>): Answerer =>
  new Answerer(deps, [serviceFields, ...deps.rootFields], deps.watch);

/** Puts the GraphQL endpoints on a server that is not listening yet. Sockets are answered by the same answerer. */
export async function addGraphql(
  server: FastifyInstance,
  deps: GraphqlDeps,
  answerer: Answerer = answererOf(deps),
): Promise<Answerer> {
  const log = deps.log.named('graphql');
  await server.register(async scope => {
    scope.setErrorHandler(async (error, request, reply) => {
      const answer = problemAnswer(error, request.id);
      if (answer.unexpected) log.forRequest(request.id).error('a request met an unexpected fault', {error});
      return sendProblem(reply, answer);
    });
    for (const url of ['/graphql', '/graphql/*']) {
      scope.post(url, (request, reply) => post(deps, answerer, request, reply));
      scope.get(url, (request, reply) => get(deps, answerer, request, reply));
      scope.options(url, (_request, reply) => reply.header('allow', 'GET, POST, OPTIONS').code(200).send());
    }
    addGraphiqlAssets(scope);
    scope.get('/schema.graphql', async (request, reply) => {
      await deps.callerOf(request);
      const {branch, at} = parametersOf(request);
      const point = await readPointOf(deps.store, {branch: last(branch), at: last(at)});
      const {schemas, store} = deps;
      const text = answerer.face(schemas.of(await store.snapshot(point))).sdl();
      return reply.header('content-type', 'text/plain; charset=utf-8').send(text);
    });
  });
  return answerer;
}

/** What is returned is sent, at once when it is there at once. */
function post(deps: GraphqlDeps, answerer: Answerer, request: FastifyRequest, reply: FastifyReply) {
  return whenReady(deps.callerOf(request), caller =>
    whenReady(branchOf(deps, request), branch => {
      const asked = askedInBody(request.body);
      if (typeOf(answerer, asked) === OperationTypeNode.MUTATION) refuseUnknownParameters(request);
      return run(answerer, request, reply, caller, branch, asked);
    }),
  );
}

async function get(deps: GraphqlDeps, answerer: Answerer, request: FastifyRequest, reply: FastifyReply) {
  const parameters = parametersOf(request);
  if (parameters.query === undefined && isBrowser(request)) return sendGraphiql(reply);
  const caller = await deps.callerOf(request);
  const branch = await branchOf(deps, request);
  const asked = askedInUrl(parameters);
  if (typeOf(answerer, asked) === OperationTypeNode.MUTATION) {
    void reply.header('allow', 'POST');
    throw new HttpProblem(405, 'A mutation must be sent with POST');
  }
  return run(answerer, request, reply, caller, branch, asked);
}

function run(
  answerer: Answerer,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  branch: BranchName,
  asked: Asked,
): Awaitable<string> {
  const at = last(parametersOf(request).at);
  const answered = answerer.answer({...asked, branch, at, caller, requestId: request.id});
  return whenReady(answered, answer => bodyOf(request, reply, answer));
}

/** The branch of the path, else of the parameter, else the default one. */
function branchOf({store}: GraphqlDeps, request: FastifyRequest): Awaitable<BranchName> {
  const inPath = (request.params as {readonly '*'?: string})['*'];
  const named = last(parametersOf(request).branch);
  if (inPath && named && inPath !== named) {
    throw new HttpProblem(400, `The path names the branch ${inPath}, the parameter "branch" names ${named}`);
  }
  return whenReady(readPointOf(store, {branch: inPath || named}), ({branch}) => branch);
}

/** Undefined when the query cannot be read: its answer will say why. */
function typeOf(answerer: Answerer, asked: Asked): OperationTypeNode | undefined {
  try {
    return answerer.operationType(asked);
  } catch (error) {
    if (error instanceof RequestRefused) return undefined;
    throw error;
  }
}

/** A stray parameter on a request that writes may have meant another branch. */
function refuseUnknownParameters(request: FastifyRequest): void {
  const unknown = Object.keys(parametersOf(request)).find(name => name !== '' && !KNOWN_PARAMETERS.has(name));
  if (unknown !== undefined) throw new HttpProblem(422, `Unknown query parameter "${unknown}"`);
}
