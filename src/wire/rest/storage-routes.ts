import {Readable} from 'node:stream';
import type {FastifyReply, FastifyRequest} from 'fastify';
import {Type} from 'typebox';
import {type Storage, uploadObject} from '../../app/storage/upload-object.ts';
import {must} from '../../base/assert.ts';
import {nodeNotFound} from '../../domain/errors.ts';
import {rangeOf} from '../../domain/storage/byte-range.ts';
import {parseObjectId, type StoredObject} from '../../domain/storage/stored-object.ts';
import type {Bytes} from '../../ports/object-store.ts';
import {HttpProblem, RequestInvalid} from '../http/problem.ts';
import {isKnown} from './etag.ts';
import {filePart} from './file-part.ts';
import {MISSING} from './flaws.ts';
import {type AnyRoute, MULTIPART_TYPE, OCTETS_TYPE, route} from './route.ts';
import type {CallerOf} from './schema-routes.ts';

const STORED = Type.Object(
  {
    identifier: Type.String({format: 'uuid'}),
    checksum: Type.String({description: 'MD5 of the bytes, in lower-case hex.'}),
  },
  {
    examples: [
      {identifier: '01924f3a-6b1c-7000-9c1d-3f0a5b7c2e11', checksum: '5d41402abc4b2a76b9719d911017c592'},
    ],
  },
);

const NOTHING: readonly Uint8Array[] = [];
const FIELD = 'file';
const MULTIPART_OVERHEAD_BYTES = 65_536;

/** Bytes that are kept under identifiers of their own. They never change. */
export function storageRoutes(deps: Storage, callerOf: CallerOf): readonly AnyRoute[] {
  const {objects, fileBytesMax} = deps;

  async function upload(content: Bytes): Promise<object> {
    const object = await uploadObject(deps, content);
    if (object === undefined) throw tooLarge(fileBytesMax);
    return shown(object);
  }

  return [
    route({
      method: 'POST',
      path: '/api/storage/upload/content',
      summary: 'Store a text',
      answer: STORED,
      body: Type.Object({content: Type.String()}),
      async handle({body, http}) {
        await callerOf({http});
        return upload(Readable.from([Buffer.from(body.content)]));
      },
    }),
    route({
      method: 'POST',
      path: '/api/storage/upload/file',
      summary: 'Store a file',
      description: 'The file is stored as it arrives; parts of the form with other names are ignored.',
      answer: STORED,
      body: Type.Object({[FIELD]: Type.String({contentMediaType: OCTETS_TYPE})}),
      bodyType: MULTIPART_TYPE,
      async handle({http}) {
        await callerOf({http});
        const announced = Number(http.headers['content-length'] ?? 0);
        if (announced > fileBytesMax + MULTIPART_OVERHEAD_BYTES) throw tooLarge(fileBytesMax);
        const stored = await filePart(http, FIELD, upload);
        if (stored === undefined) throw new RequestInvalid([{loc: ['body', FIELD], ...MISSING}]);
        return stored;
      },
    }),
    route({
      method: 'GET',
      path: '/api/storage/object/:identifier',
      summary: 'The bytes of a stored object',
      description: 'Takes one range (`Range: bytes=…`), and knows its `ETag`.',
      answer: Type.String({contentMediaType: OCTETS_TYPE}),
      answerType: OCTETS_TYPE,
      errors: [404, 416],
      params: {identifier: Type.String({description: 'A UUID; any other text names no object.'})},
      async handle({params, http}, reply) {
        await callerOf({http});
        const identifier = parseObjectId(params.identifier);
        const byteLength = identifier === undefined ? undefined : await objects.size(identifier);
        if (identifier === undefined || byteLength === undefined) {
          throw nodeNotFound('StorageObject', params.identifier);
        }
        const etag = `"${identifier}"`;
        void reply.headers({
          etag,
          'accept-ranges': 'bytes',
          'cache-control': 'private, max-age=31536000, immutable',
        });
        if (isKnown(http.headers['if-none-match'], etag)) return reply.code(304).send();
        const part = askedRange(http, etag, byteLength);
        if (part === 'outside') return outside(reply, byteLength);
        const range = part === 'whole' ? undefined : part;
        const content =
          http.method === 'HEAD'
            ? NOTHING
            : must(await objects.open(identifier, range), 'an object that was there').content;
        const length = range === undefined ? byteLength : range.last - range.first + 1;
        if (range !== undefined) {
          void reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${byteLength}`);
        }
        const stream = content instanceof Readable ? content : Readable.from(content, {objectMode: false});
        return reply.header('content-type', OCTETS_TYPE).header('content-length', length).send(stream);
      },
    }),
  ];
}

const shown = ({identifier, checksum}: StoredObject) => ({identifier, checksum});

const tooLarge = (bytesMax: number) =>
  new HttpProblem(413, `The upload has more than ${bytesMax} bytes; nothing of it was kept`);

/** A range of another version than the caller thinks is no use to it; of ours there is only one. */
function askedRange(http: FastifyRequest, etag: string, byteLength: number) {
  const condition = http.headers['if-range'];
  return condition !== undefined && condition !== etag ? 'whole' : rangeOf(http.headers.range, byteLength);
}

function outside(reply: FastifyReply, byteLength: number): never {
  void reply.header('content-range', `bytes */${byteLength}`);
  throw new HttpProblem(416, `The object has ${byteLength} bytes; none of them is in the range`);
}
