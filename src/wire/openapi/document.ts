import type {TSchema} from 'typebox';
import {KEY_HEADERS} from '../http/credentials.ts';
import {type AnyRoute, JSON_TYPE, writes} from '../rest/route.ts';
import {ERROR_SCHEMAS, errorResponse} from './errors.ts';

const DESCRIPTION = `A versioned graph data platform. This is its REST interface; objects are read and written with
GraphQL at \`/graphql/{branch_name}\`, where a browser finds an editor.

Every endpoint takes \`branch\` (the default branch when absent) and \`at\` (now when absent). Credentials go in the header
\`Authorization: Bearer <access token>\` or \`X-SERVICE-KEY: <API key>\`.`;

/** What is under /api, described by the rows that serve it (OpenAPI 3.1.0). */
export function openApiDocument(routes: readonly AnyRoute[], version: string): object {
  const shown = routes.filter(({path}) => path.startsWith('/api/'));
  const paths: Record<string, Record<string, object>> = {};
  for (const route of shown) {
    const template = templateOf(route);
    paths[template] = {...paths[template], [route.method.toLowerCase()]: operationOf(route)};
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trellis',
      version,
      description: DESCRIPTION,
      license: {name: 'Apache-2.0', identifier: 'Apache-2.0'},
    },
    servers: [{url: '/'}],
    tags: [...new Set(shown.map(tagOf))].sort().map(name => ({name})),
    paths,
    components: {
      schemas: ERROR_SCHEMAS,
      securitySchemes: {
        HTTPBearer: {type: 'http', scheme: 'bearer', bearerFormat: 'JWT'},
        APIKeyHeader: {type: 'apiKey', in: 'header', name: KEY_HEADERS[0].toUpperCase()},
      },
    },
  };
}

const tagOf = ({path}: AnyRoute): string => path.split('/')[2]!;

/** The rest of a path has no name in the router; its schema has one. */
const REST = '*';

const nameOf = (key: string, schema: TSchema): string =>
  key === REST ? String((schema as {readonly title?: string}).title ?? 'path') : key;

function templateOf({path, params}: AnyRoute): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(REST, `{${nameOf(REST, params.properties[REST] ?? {})}}`);
}

function operationOf(route: AnyRoute): object {
  return {
    operationId: operationIdOf(route),
    tags: [tagOf(route)],
    summary: route.summary,
    ...(route.description === undefined ? {} : {description: route.description}),
    security: route.isOpen ? [] : securityOf(route),
    parameters: [...parametersOf('path', route.params), ...parametersOf('query', route.query)],
    ...(route.body === undefined ? {} : {requestBody: requestBodyOf(route, route.body)}),
    responses: {[route.status]: successOf(route), ...refusalsOf(route), ...othersOf(route)},
  };
}

/** Reading needs no credential where anonymous access is on. */
const securityOf = (route: AnyRoute): readonly object[] => [
  {HTTPBearer: []},
  {APIKeyHeader: []},
  ...(writes(route) ? [] : [{}]),
];

const operationIdOf = (route: AnyRoute): string =>
  [route.method.toLowerCase(), ...templateOf(route).split(/\W+/).slice(2)].filter(Boolean).join('_');

function parametersOf(where: 'path' | 'query', object: AnyRoute['params']): readonly object[] {
  const required = new Set<string>((object as {readonly required?: readonly string[]}).required);
  return Object.entries(object.properties).map(([key, schema]) => {
    const {description, ...rest} = schema as TSchema & {readonly description?: string};
    return {
      name: nameOf(key, schema),
      in: where,
      required: where === 'path' || required.has(key),
      ...(description === undefined ? {} : {description}),
      schema: rest,
    };
  });
}

function requestBodyOf({bodyType}: AnyRoute, body: TSchema): object {
  const isOptional = '~optional' in body;
  return {required: !isOptional, content: {[bodyType]: {schema: body}}};
}

function successOf({answer, answerType, status}: AnyRoute): object {
  if (status >= 300) return {description: 'Sent on', headers: {location: {schema: {type: 'string'}}}};
  return {description: 'Success', content: {[answerType]: {schema: answer}}};
}

const othersOf = ({otherAnswers}: AnyRoute): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(otherAnswers).map(([status, {description, schema}]) => [
      status,
      {description, content: {[JSON_TYPE]: {schema}}},
    ]),
  );

/** What the row says, and what follows from it: a body can be none, a credential can be bad, the service can fail. */
function refusalsOf(route: AnyRoute): Readonly<Record<string, object>> {
  const statuses = new Set([...route.errors, 422, 500]);
  if (!route.isOpen) statuses.add(400).add(401);
  if (writes(route)) statuses.add(400).add(413).add(415).add(503);
  return Object.fromEntries(
    [...statuses].sort().map(status => {
      const {description, schema} = errorResponse(status);
      const content = {[JSON_TYPE]: {schema: {$ref: `#/components/schemas/${schema}`}}};
      return [status, {description, content}];
    }),
  );
}
