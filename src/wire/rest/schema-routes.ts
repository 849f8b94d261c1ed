import type {FastifyReply} from 'fastify';
import {Type} from 'typebox';
import type {Caller} from '../../app/caller.ts';
import {checkSchema} from '../../app/schema/check-schema.ts';
import {type LoadDeps, loadSchema} from '../../app/schema/load-schema.ts';
import {problemsIn} from '../../app/schema/schema-invalid.ts';
import {kindNotFound} from '../../domain/errors.ts';
import {jsonSchemaOf} from '../../domain/schema/api/json-schema.ts';
import {kindToApi} from '../../domain/schema/api/kind-to-api.ts';
import {summaryToApi} from '../../domain/schema/api/to-api.ts';
import {kindOf} from '../../domain/schema/lookup.ts';
import type {KindSchema, Schema} from '../../domain/schema/schema.ts';
import {RequestInvalid} from '../http/problem.ts';
import {type PointWords, restReadPointOf} from '../read-point.ts';
import {isKnown} from './etag.ts';
import {type AnyRoute, type RouteRequest, route} from './route.ts';
import {SchemaTexts} from './schema-texts.ts';

type AnyRequest = Pick<RouteRequest<unknown, unknown, unknown>, 'http'>;
export type CallerOf = (request: AnyRequest) => Promise<Caller>;

const KIND = {kind: Type.String({description: 'Namespace and name of the kind in one, as InfraDevice.'})};
const BODY = Type.Object(
  {
    schemas: Type.Array(Type.Unknown(), {
      minItems: 1,
      description: 'Schema documents: each has a version, nodes, generics and extensions.',
    }),
  },
  {additionalProperties: false},
);

/** Everything under /api/schema. */
export function schemaRoutes(deps: LoadDeps, callerOf: CallerOf): readonly AnyRoute[] {
  const texts = new SchemaTexts();

  async function schemaAt(words: PointWords): Promise<Schema> {
    return deps.schemas.of(await deps.store.snapshot(await restReadPointOf(deps.store, words)));
  }

  async function kindAt(name: string, words: PointWords): Promise<{schema: Schema; kind: KindSchema}> {
    const schema = await schemaAt(words);
    const kind = kindOf(schema, name);
    if (kind === undefined) throw kindNotFound(name);
    return {schema, kind};
  }

  return [
    route({
      method: 'GET',
      path: '/api/schema',
      summary: 'The schema of a branch',
      query: {
        namespaces: Type.Optional(
          Type.Array(Type.String(), {description: 'Only kinds of these namespaces; all when absent.'}),
        ),
      },
      async handle({query, http}, reply) {
        await callerOf({http});
        const {text, etag} = texts.of(await schemaAt(query), query.namespaces);
        return sendTagged(reply, text, etag, http.headers['if-none-match']);
      },
    }),
    route({
      method: 'GET',
      path: '/api/schema/summary',
      summary: 'The hashes of the schema of a branch',
      async handle({query, http}) {
        await callerOf({http});
        const hash = summaryToApi(await schemaAt(query));
        return {hash, ...hash};
      },
    }),
    route({
      method: 'GET',
      path: '/api/schema/:kind',
      summary: 'One kind of the schema',
      params: KIND,
      async handle({params, query, http}) {
        await callerOf({http});
        const {schema, kind} = await kindAt(params.kind, query);
        return kindToApi(schema, kind);
      },
    }),
    route({
      method: 'GET',
      path: '/api/schema/json_schema/:kind',
      summary: 'One kind of the schema as JSON Schema (draft 7)',
      params: KIND,
      async handle({params, query, http}) {
        await callerOf({http});
        return jsonSchemaOf((await kindAt(params.kind, query)).kind);
      },
    }),
    route({
      method: 'POST',
      path: '/api/schema/load',
      summary: 'Load schema documents into a branch',
      body: BODY,
      async handle({query, body, http}) {
        const caller = await callerOf({http});
        const {branch} = await restReadPointOf(deps.store, query);
        const outcome = await withPlaces(() => loadSchema(deps, caller, {branch, payload: body.schemas}));
        return {
          hash: outcome.hash,
          previous_hash: outcome.previousHash,
          diff: outcome.diff,
          warnings: outcome.warnings,
          schema_updated: outcome.isUpdated,
        };
      },
    }),
    route({
      method: 'POST',
      path: '/api/schema/check',
      summary: 'Check schema documents against a branch without loading them',
      status: 202,
      body: BODY,
      async handle({query, body, http}) {
        const caller = await callerOf({http});
        const {branch} = await restReadPointOf(deps.store, query);
        return withPlaces(() => checkSchema(deps, caller, {branch, payload: body.schemas}));
      },
    }),
  ];
}

function sendTagged(
  reply: FastifyReply,
  text: string,
  etag: string,
  ifNoneMatch: string | undefined,
): FastifyReply {
  void reply.header('etag', etag).header('cache-control', 'no-cache');
  if (isKnown(ifNoneMatch, etag)) return reply.code(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(text);
}

/** Problems of a document are flaws of the request, each at its place in the body. */
async function withPlaces<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    const problems = problemsIn(error);
    if (problems === undefined) throw error;
    throw new RequestInvalid(problems.map(({loc, message, type}) => ({loc, msg: message, type})));
  }
}
