import {Type} from 'typebox';
import type {Caller} from '../../app/caller.ts';
import {requireNode} from '../../app/node/find-node.ts';
import type {Services} from '../../app/services.ts';
import {runTransform, type TransformDeps, type TransformOutcome} from '../../app/transform/run-transform.ts';
import {must, unreachable} from '../../base/assert.ts';
import {TransformFailure} from '../../ports/transform-runner.ts';
import type {Answerer} from '../graphql/answerer.ts';
import {HttpProblem, SeveralProblems} from '../http/problem.ts';
import {type PointWords, restReadPointOf} from '../read-point.ts';
import {type AnyRoute, type RouteRequest, route} from './route.ts';
import type {CallerOf} from './schema-routes.ts';

type Deps = Pick<Services, 'store' | 'schemas'> & TransformDeps & {readonly answerer: Answerer};
type Kind = 'CoreTransformJinja2' | 'CoreTransformPython';

const PARAMS = {transform_id: Type.String({description: 'The id or the name of the transform.'})};
const ERRORS = [403, 404, 502, 503];
const DESCRIPTION = 'Every other query parameter is a variable of the query of the transform.';

/** Transforms, run for whoever asks. */
export function transformRoutes(deps: Deps, callerOf: CallerOf): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/api/transform/jinja2/:transform_id',
      summary: 'Render a template with the answer of its query',
      description: DESCRIPTION,
      answerType: 'text/plain',
      answer: Type.String({examples: ['hostname brn1-leaf-1']}),
      errors: ERRORS,
      params: PARAMS,
      async handle({params, query, http}, reply) {
        const caller = await callerOf({http});
        const outcome = await run(deps, caller, 'CoreTransformJinja2', params.transform_id, query, http);
        const text = outcome.is === 'text' ? outcome.text : JSON.stringify(outcome.value);
        return reply.header('content-type', 'text/plain; charset=utf-8').send(text);
      },
    }),
    route({
      method: 'GET',
      path: '/api/transform/python/:transform_id',
      summary: 'Run a Python transform on the answer of its query',
      description: DESCRIPTION,
      errors: ERRORS,
      params: PARAMS,
      async handle({params, query, http}, reply) {
        const caller = await callerOf({http});
        const outcome = await run(deps, caller, 'CoreTransformPython', params.transform_id, query, http);
        const text = JSON.stringify(outcome.is === 'json' ? outcome.value : outcome.text);
        return reply.header('content-type', 'application/json; charset=utf-8').send(text);
      },
    }),
  ];
}

type Result = Extract<TransformOutcome, {readonly is: 'text' | 'json'}>;

async function run(
  deps: Deps,
  caller: Caller,
  kind: Kind,
  id: string,
  words: PointWords,
  http: RouteRequest<unknown, unknown, unknown>['http'],
): Promise<Result> {
  const snapshot = await deps.store.snapshot(await restReadPointOf(deps.store, words));
  const schema = deps.schemas.of(snapshot);
  const transform = await requireNode(snapshot, schema, kind, {id});
  try {
    const variablesOf = (document: string) =>
      deps.answerer.variablesFromTexts(schema, document, textsOf(http.query));
    return resultOf(await runTransform(deps, {caller, snapshot, transform, variablesOf}));
  } catch (error) {
    throw error instanceof TransformFailure ? problemOf(error) : error;
  }
}

function resultOf(outcome: TransformOutcome): Result {
  switch (outcome.is) {
    case 'text':
    case 'json':
      return outcome;
    case 'no-commit':
      throw new HttpProblem(500, "Repository doesn't have a commit");
    case 'missing':
      throw new HttpProblem(404, `Unable to find the file at '${outcome.place}'.`);
    case 'outside':
      throw new HttpProblem(403, `File not in repository '${outcome.place}'.`);
    case 'query-failed':
      throw new SeveralProblems(
        outcome.problems.some(({isDenied}) => isDenied) ? 403 : 502,
        outcome.problems.map(problem => ({
          ...problem,
          message: `GraphQLQuery ${outcome.query}: ${problem.message}`,
        })),
      );
    default:
      return unreachable(outcome);
  }
}

function problemOf(failure: TransformFailure): HttpProblem {
  return new HttpProblem(failure.reason === 'no-python' ? 503 : 500, failure.message, {cause: failure});
}

const NOT_VARIABLES: ReadonlySet<string> = new Set(['branch', 'at']);

type Texts = Readonly<Record<string, string | readonly string[]>>;

function textsOf(given: unknown): Texts {
  const entries = Object.entries(must(given, 'the query of a URL') as Texts);
  return Object.fromEntries(entries.filter(([name]) => name !== '' && !NOT_VARIABLES.has(name)));
}
