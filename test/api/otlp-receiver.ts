import {createServer as createHttp} from 'node:http';
import {createServer as createHttp2, type Http2Session} from 'node:http2';
import type {AddressInfo} from 'node:net';
import {buffer} from 'node:stream/consumers';

export interface OtlpReceiver {
  readonly endpoint: string;
  /** Everything received so far, as bytes. */
  readonly received: Buffer[];
  close(): Promise<void>;
}

/** Takes traces as a collector does, over HTTP. */
export async function httpReceiver(): Promise<OtlpReceiver> {
  const received: Buffer[] = [];
  const server = createHttp((request, response) => {
    void buffer(request).then(body => {
      if (request.method === 'POST' && request.url === '/v1/traces') received.push(body);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const EMPTY_MESSAGE = Buffer.alloc(5);

/** Takes traces as a collector does, over gRPC. */
export async function grpcReceiver(): Promise<OtlpReceiver> {
  const received: Buffer[] = [];
  const sessions = new Set<Http2Session>();
  const server = createHttp2();
  server.on('session', session => void sessions.add(session));
  server.on('stream', (stream, headers) => {
    void buffer(stream).then(body => {
      if (headers[':path'] === EXPORT) received.push(body.subarray(EMPTY_MESSAGE.length));
      stream.respond({':status': 200, 'content-type': 'application/grpc'}, {waitForTrailers: true});
      stream.on('wantTrailers', () => stream.sendTrailers({'grpc-status': '0'}));
      stream.end(EMPTY_MESSAGE);
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise(resolve => {
        for (const session of sessions) session.destroy();
        server.close(() => resolve());
      }),
  };
}
