import {gunzipSync} from 'node:zlib';
import {Type} from 'typebox';
import {describe, expect, test} from 'vitest';
import {route} from '../../src/wire/rest/route.ts';
import {openServer} from './open-server.ts';

const TEXT = 'déjà vu '.repeat(20_000);

const large = route({
  method: 'GET',
  path: '/api/large',
  summary: 'Many bytes',
  query: {type: Type.Optional(Type.String())},
  handle: ({query}, reply) =>
    query.type === undefined
      ? {text: TEXT}
      : reply.header('content-type', query.type).header('etag', '"a"').send(TEXT),
});
const small = route({
  method: 'GET',
  path: '/api/small',
  summary: 'Few bytes',
  handle: () => ({text: 'x'.repeat(1000)}),
});

async function ask(url: string, encoding?: string, method: 'GET' | 'HEAD' = 'GET') {
  const {server} = await openServer({routes: [large, small]});
  return server.inject({method, url, headers: encoding === undefined ? {} : {'accept-encoding': encoding}});
}

describe('compression', () => {
  test.each(['gzip', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.5', '*', 'GZIP'])(
    'a large answer goes compressed to whoever takes "%s"',
    async encoding => {
      const answer = await ask('/api/large', encoding);
      expect(answer.headers).toMatchObject({'content-encoding': 'gzip', vary: 'accept-encoding'});
      expect(answer.rawPayload.length).toBeLessThan(10_000);
      expect(JSON.parse(gunzipSync(answer.rawPayload).toString())).toEqual({text: TEXT});
      expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length);
    },
  );

  test.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'deflate, gzip; q=0.0'])(
    'it goes as it is to whoever sends "%s", and caches know that it could differ',
    async encoding => {
      const answer = await ask('/api/large', encoding);
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.headers.vary).toBe('accept-encoding');
      expect(answer.json()).toEqual({text: TEXT});
    },
  );

  test('a small answer, and one that is no text, goes as it is', async () => {
    for (const url of [
      '/api/small',
      '/api/large?type=application/octet-stream',
      '/api/large?type=image/png',
    ]) {
      const answer = await ask(url, 'gzip');
      expect([url, answer.headers['content-encoding']]).toEqual([url, undefined]);
    }
  });

  test('a tag of the content becomes a weak one, and a head has no body', async () => {
    const answer = await ask('/api/large?type=text/csv', 'gzip');
    expect(answer.headers.etag).toBe('W/"a"');
    const head = await ask('/api/large', 'gzip', 'HEAD');
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
  });
});
