import type {FastifyReply} from 'fastify';
import {Type} from 'typebox';
import type {Caller} from '../../app/caller.ts';
import {checkSchema} from '../../app/schema/check-schema.ts';
import {type LoadDeps, loadSchema} from '../../app/schema/load-schema.ts';
import {problemsIn} from '../../app/schema/schema-invalid.ts';
import type {Awaitable} from '../../base/awaitable.ts';
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
export type CallerOf = (request: AnyRequest) => Awaitable<Caller>;

const KIND = {
  schema_kind: Type.String({description: 'Namespace and name of the kind in one, as InfraDevice.'}),
};
const BODY = Type.Object(
  {
    schemas: Type.Array(Type.Unknown(), {
      minItems: 1,
      description: 'Schema documents: each has a version, nodes, generics and extensions.',
    }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        schemas: [
          {
            version: '1.0',
            nodes: [
              {
                name: 'Device',
                namespace: 'Infra',
                attributes: [{name: 'name', kind: 'Text', unique: true}],
              },
            ],
          },
        ],
      },
    ],
  },
);

const KIND_ANSWER = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  namespace: Type.String(),
  name: Type.String(),
  hash: Type.String(),
  attributes: Type.Array(Type.Unknown()),
  relationships: Type.Array(Type.Unknown()),
});
const SCHEMA_ANSWER = Type.Object({
  main: Type.String({description: 'The hash of the whole schema.'}),
  nodes: Type.Array(KIND_ANSWER),
  generics: Type.Array(KIND_ANSWER),
  profiles: Type.Array(KIND_ANSWER),
  templates: Type.Array(KIND_ANSWER),
  namespaces: Type.Array(Type.Object({name: Type.String(), user_editable: Type.Boolean()})),
});
const HASHES = {
  main: Type.String(),
  nodes: Type.Record(Type.String(), Type.String()),
  generics: Type.Record(Type.String(), Type.String()),
};
const SUMMARY_ANSWER = Type.Object({hash: Type.Object(HASHES), ...HASHES});
const JSON_SCHEMA_ANSWER = Type.Object({
  $schema: Type.String(),
  title: Type.String(),
  type: Type.String(),
  properties: Type.Record(Type.String(), Type.Unknown()),
  required: Type.Array(Type.String()),
});
const WARNINGS = Type.Array(
  Type.Object({type: Type.String(), message: Type.String(), kinds: Type.Array(Type.Unknown())}),
);
const DIFF = Type.Object({
  added: Type.Record(Type.String(), Type.Unknown()),
  changed: Type.Record(Type.String(), Type.Unknown()),
  removed: Type.Record(Type.String(), Type.Unknown()),
});
const LOAD_ANSWER = Type.Object(
  {
    hash: Type.String(),
    previous_hash: Type.String(),
    diff: DIFF,
    warnings: WARNINGS,
    schema_updated: Type.Boolean(),
  },
  {
    examples: [
      {
        hash: '5f2b0f0c8c1f4c4b8f6c1a2b3c4d5e6f',
        previous_hash: 'a91c0f0c8c1f4c4b8f6c1a2b3c4d5e6f',
        diff: {added: {InfraDevice: {added: {}, changed: {}, removed: {}}}, changed: {}, removed: {}},
        warnings: [],
        schema_updated: true,
      },
    ],
  },
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
      answer: SCHEMA_ANSWER,
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
      answer: SUMMARY_ANSWER,
      async handle({query, http}) {
        await callerOf({http});
        const hash = summaryToApi(await schemaAt(query));
        return {hash, ...hash};
      },
    }),
    route({
      method: 'GET',
      path: '/api/schema/:schema_kind',
      summary: 'One kind of the schema',
      answer: KIND_ANSWER,
      errors: [404],
      params: KIND,
      async handle({params, query, http}) {
        await callerOf({http});
        const {schema, kind} = await kindAt(params.schema_kind, query);
        return kindToApi(schema, kind);
      },
    }),
    route({
      method: 'GET',
      path: '/api/schema/json_schema/:schema_kind',
      summary: 'One kind of the schema as JSON Schema (draft 7)',
      answer: JSON_SCHEMA_ANSWER,
      errors: [404],
      params: KIND,
      async handle({params, query, http}) {
        await callerOf({http});
        return jsonSchemaOf((await kindAt(params.schema_kind, query)).kind);
      },
    }),
    route({
      method: 'POST',
      path: '/api/schema/load',
      summary: 'Load schema documents into a branch',
      description: 'Needs the permission manage_schema, and edit_default_branch for the default branch.',
      answer: LOAD_ANSWER,
      errors: [403],
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
      answer: Type.Object({diff: DIFF, warnings: WARNINGS}),
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
