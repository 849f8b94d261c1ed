import type {FastifyRequest} from 'fastify';
import {isJsonObject} from '../../../base/json.ts';
import {HttpProblem} from '../../http/problem.ts';

/** What a request says in GraphQL's own words. */
export interface Asked {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

/** Reads the body of a POST. */
export function askedInBody(body: unknown): Asked {
  if (Array.isArray(body))
    throw new HttpProblem(400, 'Batching is not supported: send one operation at a time');
  if (!isJsonObject(body)) throw new HttpProblem(400, 'The body must be a JSON object with a "query"');
  const {query, variables, operationName} = body;
  return asked(query, variables ?? {}, operationName ?? undefined);
}

/** Reads the query string of a GET. */
export function askedInUrl(parameters: QueryString): Asked {
  const {query, variables, operationName} = parameters;
  return asked(last(query), parsedVariables(last(variables)), last(operationName) || undefined);
}

type QueryString = Readonly<Record<string, string | readonly string[] | undefined>>;

export const parametersOf = (request: FastifyRequest): QueryString => request.query as QueryString;

/** A key that is repeated means its last value. */
export const last = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.at(-1);

function asked(query: unknown, variables: unknown, operationName: unknown): Asked {
  if (typeof query !== 'string') throw new HttpProblem(400, '"query" must be given, as a text');
  if (!isJsonObject(variables)) throw new HttpProblem(400, '"variables" must be an object');
  if (operationName !== undefined && typeof operationName !== 'string') {
    throw new HttpProblem(400, '"operationName" must be a text');
  }
  return {query, variables, operationName: operationName === '' ? undefined : operationName};
}

function parsedVariables(text: string | undefined): unknown {
  if (text === undefined || text === '') return {};
  try {
    return JSON.parse(text) ?? {};
  } catch (error) {
    throw new HttpProblem(400, '"variables" is not valid JSON', {cause: error});
  }
}
