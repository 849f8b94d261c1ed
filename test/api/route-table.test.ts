import {Type} from 'typebox';
import {describe, expect, test} from 'vitest';
import {route} from '../../src/wire/rest/route.ts';
import {openServer} from './open-server.ts';

const query = {
  count: Type.Optional(Type.Integer({minimum: 1, maximum: 10})),
  deep: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Type.Array(Type.String())),
  side: Type.Optional(Type.Enum(['left', 'right'])),
};

const read = route({
  method: 'GET',
  path: '/api/things/:id',
  summary: 'Reads',
  params: {id: Type.String({minLength: 1, maxLength: 5})},
  query,
  handle: ({params, query: given}) => ({params, query: given}),
});

const write = route({
  method: 'POST',
  path: '/api/things',
  summary: 'Writes',
  status: 202,
  query,
  body: Type.Object({
    name: Type.String({minLength: 2}),
    schemas: Type.Optional(Type.Array(Type.Object({version: Type.String()}))),
  }),
  handle: ({body, query: given}) => ({body, query: given}),
});

async function ask(method: 'GET' | 'POST', url: string, payload?: object) {
  const {server} = await openServer({routes: [read, write]});
  const answer = await server.inject({method, url, ...(payload === undefined ? {} : {payload})});
  return {status: answer.statusCode, body: answer.json<Record<string, unknown>>()};
}

describe('a row of the route table', () => {
  test('reads parameters as the types it names', async () => {
    const {body} = await ask(
      'GET',
      '/api/things/7?count=3&deep=yes&tags=a&tags=b&branch=dev&at=-5m&side=left',
    );
    expect(body).toEqual({
      params: {id: '7'},
      query: {count: 3, deep: true, tags: ['a', 'b'], branch: 'dev', at: '-5m', side: 'left'},
    });
  });

  test.each([
    ['count=1&', {count: 1}],
    ['count=1&&deep=0', {count: 1, deep: false}],
    ['tags=only', {tags: ['only']}],
    ['count=1&count=2', {count: 2}],
    ['branch=a%2Fb', {branch: 'a/b'}],
    ['', {}],
    ['&', {}],
  ])('takes the query string "%s" as %j', async (text, expected) => {
    expect((await ask('GET', `/api/things/7?${text}`)).body.query).toEqual(expected);
    expect((await ask('POST', `/api/things?${text}`, {name: 'ok'})).body.query).toEqual(expected);
  });

  test('answers with its own status', async () => {
    expect(await ask('POST', '/api/things', {name: 'ok'})).toEqual({
      status: 202,
      body: {body: {name: 'ok'}, query: {}},
    });
  });

  test('ignores an unknown parameter when it reads and refuses it when it writes', async () => {
    expect((await ask('GET', '/api/things/7?brnch=x')).status).toBe(200);
    expect(await ask('POST', '/api/things?brnch=x', {name: 'ok'})).toMatchObject({
      status: 422,
      body: {detail: [{loc: ['query', 'brnch'], msg: 'Unknown query parameter', type: 'extra_forbidden'}]},
    });
  });

  test.each([
    ['GET', '/api/things/7?count=0', ['query', 'count'], 'greater_than_equal'],
    ['GET', '/api/things/7?count=11', ['query', 'count'], 'less_than_equal'],
    ['GET', '/api/things/7?count=two', ['query', 'count'], 'int_type'],
    ['GET', '/api/things/7?deep=maybe', ['query', 'deep'], 'bool_type'],
    ['GET', '/api/things/7?side=up', ['query', 'side'], 'literal_error'],
    ['GET', '/api/things/too-long', ['path', 'id'], 'string_too_long'],
  ] as const)('%s %s is 422 at %j', async (method, url, loc, type) => {
    const {status, body} = await ask(method, url);
    expect(status).toBe(422);
    expect(body.detail).toEqual([{loc, type, msg: expect.any(String)}]);
  });

  test.each([
    [undefined, [['body'], 'missing', 'Field required']],
    [{}, [['body', 'name'], 'missing', 'Field required']],
    [{name: 1}, [['body', 'name'], 'string_type', 'Input should be a valid string']],
    [{name: 'x'}, [['body', 'name'], 'string_too_short', 'String should have at least 2 characters']],
    [[], [['body'], 'dict_type', 'Input should be a valid object']],
    [{name: 'ok', schemas: {}}, [['body', 'schemas'], 'list_type', 'Input should be a valid list']],
    [
      {name: 'ok', schemas: [{version: '1.0'}, {}]},
      [['body', 'schemas', 1, 'version'], 'missing', 'Field required'],
    ],
  ])('the body %j is 422 and says where', async (payload, [loc, type, msg]) => {
    const {status, body} = await ask('POST', '/api/things', payload);
    expect(status).toBe(422);
    expect(body.detail).toEqual([{loc, type, msg}]);
    expect(body.errors).toEqual([
      {message: `${(loc as string[]).join('.')}: ${msg as string}`, extensions: {code: 422}},
    ]);
    expect(body.data).toBeNull();
  });

  test('every flaw of a request is told at once', async () => {
    const {body} = await ask('POST', '/api/things?count=x&nope=1', {schemas: [{}]});
    const places = (body.detail as {loc: unknown[]}[]).map(flaw => flaw.loc.join('.'));
    expect(places.sort()).toEqual(['body.name', 'body.schemas.0.version', 'query.count', 'query.nope']);
  });
});
