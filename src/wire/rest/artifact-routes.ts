import {Readable} from 'node:stream';
import {type Static, Type} from 'typebox';
import {readArtifact} from '../../app/artifact/read-artifact.ts';
import {requestGeneration} from '../../app/artifact/request-generation.ts';
import type {Services} from '../../app/services.ts';
import type {ObjectStore} from '../../ports/object-store.ts';
import {restReadPointOf} from '../read-point.ts';
import {isKnown} from './etag.ts';
import {type AnyRoute, route} from './route.ts';
import type {CallerOf} from './schema-routes.ts';

type Deps = Pick<Services, 'store' | 'schemas' | 'tasks'> & {readonly objects: ObjectStore};

const BODY = Type.Optional(
  Type.Object({
    nodes: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Only these artifacts, or the artifacts of these objects; all of them when absent.',
      }),
    ),
  }),
);

export function artifactRoutes(deps: Deps, callerOf: CallerOf): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/api/artifact/:artifact_id',
      summary: 'The content of an artifact, with its own content type',
      answerType: '*/*',
      answer: Type.String({examples: ['hostname brn1-leaf-1']}),
      errors: [403, 404],
      params: {artifact_id: Type.String()},
      async handle({params, query, http}, reply) {
        const caller = await callerOf({http});
        const point = await restReadPointOf(deps.store, query);
        const {contentType, checksum, object} = await readArtifact(deps, caller, point, params.artifact_id);
        const etag = `"${checksum}"`;
        void reply.header('etag', etag).header('cache-control', 'no-cache');
        const {content: bytes} = object;
        const content = bytes instanceof Readable ? bytes : Readable.from(bytes, {objectMode: false});
        if (isKnown(http.headers['if-none-match'], etag)) {
          content.destroy();
          return reply.code(304).send();
        }
        return reply
          .header('content-type', contentType)
          .header('content-length', object.byteLength)
          .send(content);
      },
    }),
    route({
      method: 'POST',
      path: '/api/artifact/generate/:artifact_definition_id',
      summary: 'Queue the making of the artifacts of a definition',
      description: 'The answer is null and does not wait.',
      answer: Type.Null(),
      body: BODY,
      errors: [403, 404],
      params: {artifact_definition_id: Type.String({description: 'The id or the name of the definition.'})},
      async handle({params, query, body, http}, reply) {
        const caller = await callerOf({http});
        const {branch} = await restReadPointOf(deps.store, query);
        const nodes = (body as Static<typeof BODY>)?.nodes;
        await requestGeneration(deps, caller, {
          branch,
          definition: params.artifact_definition_id,
          ...(nodes === undefined ? {} : {nodes}),
        });
        return reply.header('content-type', 'application/json; charset=utf-8').send('null');
      },
    }),
  ];
}
