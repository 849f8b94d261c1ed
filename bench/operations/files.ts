import {randomBytes} from 'node:crypto';
import {createReadStream, createWriteStream, writeFileSync} from 'node:fs';
import {createServer, type IncomingMessage, request, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {openLocalObjectStore} from '../../src/adapters/files/local-object-store.ts';
import {timeOrderedIds} from '../../src/adapters/ids/time-ordered-ids.ts';
import {FULL_ACCESS} from '../../src/domain/access/access.ts';
import {NO_METRICS} from '../../src/ports/metrics.ts';
import {NO_TRACER} from '../../src/ports/tracer.ts';
import {createHttpServer} from '../../src/wire/http/server.ts';
import {storageRoutes} from '../../src/wire/rest/storage-routes.ts';
import type {ServiceFamily} from '../bench.ts';
import {limit, time, timed} from '../measure.ts';
import {SILENT} from './silent-log.ts';

const FILE_BYTES = 50_331_648;
const PIECE = randomBytes(262_144);
const ROUNDS = {warmUp: 3, roundsMax: 15, millisMax: 20_000};
const UPLOAD = 'upload of 48 MiB by a bare Node server, to a file';
const DOWNLOAD = 'download of 48 MiB from a bare Node server';

const HEAD = Buffer.from('--edge\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n');
const TAIL = Buffer.from('\r\n--edge--\r\n');

function upload(port: number, path: string): Promise<Buffer> {
  const {promise, resolve, reject} = Promise.withResolvers<Buffer>();
  const headers = {
    'content-type': 'multipart/form-data; boundary=edge',
    'content-length': HEAD.length + FILE_BYTES + TAIL.length,
  };
  const sent = request({port, path, method: 'POST', headers}, answer => resolve(read(answer)));
  sent.on('error', reject);
  async function* body() {
    yield HEAD;
    for (let at = 0; at < FILE_BYTES; at += PIECE.length) yield PIECE;
    yield TAIL;
  }
  pipeline(body(), sent).catch(reject);
  return promise;
}

async function download(port: number, path: string): Promise<void> {
  const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>();
  request({port, path}, resolve).on('error', reject).end();
  let byteLength = 0;
  for await (const piece of await promise) byteLength += (piece as Buffer).length;
  if (byteLength !== FILE_BYTES) throw new Error(`${byteLength} bytes came`);
}

async function read(answer: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** What no server in Node can do without: the bytes over the socket, and to or from a file. */
async function bareServer(folder: string) {
  const file = join(folder, 'bare');
  writeFileSync(file, Buffer.alloc(FILE_BYTES, PIECE));
  const answer = async (asked: IncomingMessage, response: ServerResponse) => {
    if (asked.method === 'POST') {
      await pipeline(asked, createWriteStream(join(folder, 'bare-upload')));
      response.end('{}');
    } else {
      response.setHeader('content-length', FILE_BYTES);
      await pipeline(createReadStream(file), response);
    }
  };
  const server = createServer((asked, response) => void answer(asked, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {port: (server.address() as AddressInfo).port, close: () => server.close()};
}

/** Stored objects over HTTP, client and server in one process; both kinds of server take turns. */
export const files: ServiceFamily = {
  name: 'files',
  on: 'nothing',
  async run({folder}) {
    const objects = await openLocalObjectStore(join(folder, 'objects'), timeOrderedIds(systemClock));
    const caller = {account: null, access: FULL_ACCESS};
    const server = await createHttpServer({
      log: SILENT,
      clock: systemClock,
      metrics: NO_METRICS,
      tracer: NO_TRACER,
      version: 'bench',
      bodyBytesMax: 1_000_000,
      corsOrigins: [],
      healthChecks: [],
      routes: storageRoutes({objects, fileBytesMax: 2 * FILE_BYTES}, async () => caller),
    });
    await server.listen({host: '127.0.0.1', port: 0});
    const {port} = server.server.address() as AddressInfo;
    const bare = await bareServer(folder);
    const stored = await upload(port, '/api/storage/upload/file');
    const {identifier} = JSON.parse(stored.toString()) as {identifier: string};
    const figures = [
      limit(UPLOAD, await timed(() => upload(bare.port, '/'), ROUNDS)),
      time('upload of 48 MiB', await timed(() => upload(port, '/api/storage/upload/file'), ROUNDS), [UPLOAD]),
      limit(DOWNLOAD, await timed(() => download(bare.port, '/'), ROUNDS)),
      time(
        'download of 48 MiB',
        await timed(() => download(port, `/api/storage/object/${identifier}`), ROUNDS),
        [DOWNLOAD],
      ),
    ];
    bare.close();
    await server.close();
    await objects.close();
    return figures;
  },
};
