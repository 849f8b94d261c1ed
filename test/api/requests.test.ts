import {type AddressInfo, connect} from 'node:net';
import {Readable} from 'node:stream';
import {text} from 'node:stream/consumers';
import {Type} from 'typebox';
import {describe, expect, test} from 'vitest';
import {route} from '../../src/wire/rest/route.ts';
import {envelope, openServer} from './open-server.ts';

const UUID_4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const echo = route({
  method: 'POST',
  path: '/api/echo',
  summary: 'Sends back the body',
  body: Type.Unknown(),
  handle: ({body}) => ({body}),
});
const ping = route({
  method: 'POST',
  path: '/api/ping',
  summary: 'Needs no body',
  handle: () => ({pong: true}),
});

describe('every answer', () => {
  test('carries a fresh request id and the time it took', async () => {
    const {server} = await openServer();
    const first = await server.inject('/health');
    const second = await server.inject('/health');
    expect(first.headers['x-request-id']).toMatch(UUID_4);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(Number(first.headers['x-process-time'])).toBeGreaterThan(0);
  });

  test.each([
    ['7c9e6679-7425-40de-944b-e07fc1f90ae7', true],
    ['7C9E6679742540DE944BE07FC1F90AE7', true],
    ['7c9e6679-7425-10de-944b-e07fc1f90ae7', false],
    ['my-request', false],
    ['', false],
  ])('answers a caller whose X-Request-ID is "%s" with the same id: %s', async (given, kept) => {
    const {server} = await openServer();
    const answer = await server.inject({url: '/api/nowhere', headers: {'x-request-id': given}});
    expect(answer.headers['x-request-id'] === given).toBe(kept);
    expect(answer.headers['x-request-id']).not.toBe('');
  });

  test('is one line in the log, without the query string', async () => {
    const {server, lines} = await openServer();
    const answer = await server.inject('/health?code=secret');
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'INFO',
        logger: 'http',
        message: 'GET /health 200',
        request_id: answer.headers['x-request-id'],
        duration_ms: expect.any(Number),
        status: 200,
      }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});

describe('an endpoint that does not exist', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'] as const)(
    'is 404 for %s',
    async method => {
      const {server} = await openServer();
      const answer = await server.inject({method: method as 'GET', url: '/api/no/such?x=1'});
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual(envelope(404, 'The requested endpoint /api/no/such does not exist'));
    },
  );

  test('is 404 whatever body comes with it', async () => {
    const {server} = await openServer({bodyBytesMax: 100});
    for (const [type, payload] of [
      ['application/json', '{broken'],
      ['application/json', JSON.stringify('x'.repeat(500))],
      ['application/x-unheard-of', 'x'],
    ] as const) {
      const answer = await server.inject({
        method: 'POST',
        url: '/api/no',
        headers: {'content-type': type},
        payload,
      });
      expect(answer.statusCode, payload.slice(0, 10)).toBe(404);
    }
  });

  test('is 404 for a known path with another method, and HEAD is known wherever GET is', async () => {
    const {server} = await openServer({routes: [ping]});
    expect((await server.inject({method: 'GET', url: '/api/ping'})).statusCode).toBe(404);
    expect((await server.inject({method: 'HEAD', url: '/api/health'})).statusCode).toBe(200);
  });

  test('is 400 when its URL cannot be read', async () => {
    const {server} = await openServer();
    const answer = await server.inject('/api/%zz');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({data: null, errors: [{extensions: {code: 400}}]});
    expect(answer.headers['x-request-id']).toMatch(UUID_4);
  });
});

describe('a body', () => {
  const json = {'content-type': 'application/json'};

  test.each(['{"a":', 'nonsense', '{"a":1}}', "{'a':1}"])('that is no JSON (%s) is 400', async payload => {
    const {server} = await openServer({routes: [echo]});
    const answer = await server.inject({method: 'POST', url: '/api/echo', headers: json, payload});
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual(envelope(400, 'Request body is not valid JSON'));
  });

  test('that is too large is 413, announced or not', async () => {
    const {server} = await openServer({routes: [echo], bodyBytesMax: 100});
    const payload = JSON.stringify('x'.repeat(200));
    const announced = await server.inject({method: 'POST', url: '/api/echo', headers: json, payload});
    expect(announced.statusCode).toBe(413);
    expect(announced.json()).toEqual(envelope(413, 'Request body is too large'));
    const chunks = Readable.from([payload.slice(0, 50), payload.slice(50)]);
    const chunked = await server.inject({method: 'POST', url: '/api/echo', headers: json, payload: chunks});
    expect(chunked.statusCode).toBe(413);
  });

  test('of another media type is 415', async () => {
    const {server} = await openServer({routes: [echo]});
    const headers = {'content-type': 'text/csv'};
    const answer = await server.inject({method: 'POST', url: '/api/echo', headers, payload: 'a,b'});
    expect(answer.statusCode).toBe(415);
    expect(answer.json()).toMatchObject({data: null, errors: [{extensions: {code: 415}}]});
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'application/vnd.example+json'])(
    'of type %s may be empty where none is needed',
    async type => {
      const {server} = await openServer({routes: [ping]});
      const answer = await server.inject({method: 'POST', url: '/api/ping', headers: {'content-type': type}});
      expect(answer.json()).toEqual({pong: true});
    },
  );

  test('is not needed for a GET that carries a content type', async () => {
    const {server} = await openServer();
    expect((await server.inject({url: '/api/health', headers: json})).statusCode).toBe(200);
  });

  test('cannot reach the prototype of an object', async () => {
    const {server} = await openServer({routes: [echo]});
    const payload = '{"__proto__":{"admin":true},"a":1}';
    const answer = await server.inject({method: 'POST', url: '/api/echo', headers: json, payload});
    expect(answer.json()).toEqual({body: {a: 1}});
  });
});

describe('bytes that are no HTTP', () => {
  async function talk(bytes: string): Promise<string> {
    const {server} = await openServer();
    await server.listen({host: '127.0.0.1', port: 0});
    const {port} = server.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(bytes);
    const answer = await text(socket);
    await server.close();
    return answer;
  }

  test('are 400 with the envelope', async () => {
    const answer = await talk('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toEqual(envelope(400, 'Bad Request'));
  });

  test('are 431 when the headers never end', async () => {
    const answer = await talk(`GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe('pages of another origin', () => {
  test('may call only when their origin is allowed', async () => {
    const {server} = await openServer({corsOrigins: ['https://app.example.com']});
    const allowed = await server.inject({url: '/health', headers: {origin: 'https://app.example.com'}});
    expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example.com');
    const other = await server.inject({url: '/health', headers: {origin: 'https://evil.example.com'}});
    expect(other.headers['access-control-allow-origin']).not.toBe('https://evil.example.com');
    const plain = await openServer();
    const none = await plain.server.inject({url: '/health', headers: {origin: 'https://app.example.com'}});
    expect(none.headers['access-control-allow-origin']).toBeUndefined();
  });
});
