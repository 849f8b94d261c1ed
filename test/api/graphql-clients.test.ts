import {CombinedError, createClient, fetchExchange, gql} from '@urql/core';
import {ClientError, GraphQLClient} from 'graphql-request';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type GraphqlWorld, openGraphql} from './graphql-fixtures.ts';

let world: GraphqlWorld;
let url: string;

beforeAll(async () => {
  world = await openGraphql();
  url = `${await world.server.listen({host: '127.0.0.1', port: 0})}/graphql/main`;
});

afterAll(() => world.close());

const CREATE = `mutation Create($name: String!) {
  BuiltinTagCreate(data: {name: {value: $name}}) { ok object { id display_label } }
}`;
const READ = `query Read($name: String!) { BuiltinTag(name__value: $name) { count } }`;
const PARTLY = `query Partly($past: String!) { BuiltinTag { count } old: BuiltinTag(after: $past) { count } }`;
const TWICE = `query { BuiltinTag { count { more } } }`;

type Count = {BuiltinTag: {count: number}};

describe('graphql-request', () => {
  test('writes and reads with variables', async () => {
    const client = new GraphQLClient(url);
    const made = await client.request<{BuiltinTagCreate: object}>(CREATE, {name: 'requested'});
    expect(made.BuiltinTagCreate).toMatchObject({ok: true, object: {display_label: 'requested'}});
    expect(await client.request<Count>(READ, {name: 'requested'})).toEqual({BuiltinTag: {count: 1}});
  });

  test('reads with GET', async () => {
    const client = new GraphQLClient(url, {method: 'GET'});
    expect(await client.request<Count>(READ, {name: 'nobody'})).toEqual({BuiltinTag: {count: 0}});
  });

  test('throws what a refused document and a refused write say, with their codes', async () => {
    const client = new GraphQLClient(url);
    const refused = await client.request(TWICE).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ClientError);
    expect((refused as ClientError).response.errors?.[0]?.extensions).toEqual({
      code: 'VALIDATION_ERROR',
      http_status: 422,
    });
    await client.request(CREATE, {name: 'once'});
    const again = await client.request(CREATE, {name: 'once'}).catch((error: unknown) => error);
    expect((again as ClientError).response.errors?.[0]).toMatchObject({
      path: ['BuiltinTagCreate'],
      extensions: {code: 'CONSTRAINT_VIOLATION'},
    });
  });

  test('takes what could be answered beside what could not', async () => {
    const client = new GraphQLClient(url, {errorPolicy: 'all'});
    const {data, errors} = await client.rawRequest<Count & {old: null}>(PARTLY, {past: 'forged'});
    expect(data.old).toBe(null);
    expect(data.BuiltinTag.count).toBeGreaterThanOrEqual(0);
    expect(errors?.map(({path}) => path)).toEqual([['old']]);
  });

  test('hears of a branch that is not there', async () => {
    const client = new GraphQLClient(url.replace('main', 'nowhere'));
    const refused = await client.request(READ, {name: ''}).catch((error: unknown) => error);
    expect((refused as ClientError).response).toMatchObject({
      status: 404,
      errors: [{extensions: {code: 'BRANCH_NOT_FOUND'}}],
    });
  });
});

describe('urql', () => {
  const open = () => createClient({url, exchanges: [fetchExchange], preferGetMethod: false});

  test('writes and reads with variables', async () => {
    const client = open();
    const made = await client.mutation(gql(CREATE), {name: 'curled'}).toPromise();
    expect(made.error).toBe(undefined);
    const read = await client.query<Count>(gql(READ), {name: 'curled'}).toPromise();
    expect(read.data).toEqual({BuiltinTag: {count: 1}});
  });

  test('reads with GET', async () => {
    const client = createClient({url, exchanges: [fetchExchange], preferGetMethod: 'force'});
    const {data} = await client.query<Count>(gql(READ), {name: 'nobody'}).toPromise();
    expect(data).toEqual({BuiltinTag: {count: 0}});
  });

  test('has the errors of the answer, and the data beside them', async () => {
    const {data, error} = await open().query(gql(PARTLY), {past: 'forged'}).toPromise();
    expect(data).toMatchObject({old: null});
    expect(error).toBeInstanceOf(CombinedError);
    expect(error?.graphQLErrors.map(({path, extensions}) => [path, extensions.code])).toEqual([
      [['old'], 'VALIDATION_ERROR'],
    ]);
  });

  test('has the code of a document that is refused', async () => {
    const {data, error} = await open().query(gql(TWICE), {}).toPromise();
    expect(data ?? null).toBe(null);
    expect(error?.graphQLErrors[0]?.extensions.code).toBe('VALIDATION_ERROR');
  });
});
