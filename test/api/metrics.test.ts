import {beforeAll, describe, expect, test} from 'vitest';
import {openWholeService, type WholeService} from './whole-service.ts';

let service: WholeService;

beforeAll(async () => {
  service = await openWholeService();
});

type Numbers = ReadonlyMap<string, number>;

async function numbers(): Promise<Numbers> {
  const {text} = await service.get('/api/metrics', {});
  return new Map(
    text
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => {
        const space = line.lastIndexOf(' ');
        return [line.slice(0, space), Number(line.slice(space + 1))] as const;
      }),
  );
}

const grown = (before: Numbers, after: Numbers, key: string) =>
  (after.get(key) ?? 0) - (before.get(key) ?? 0);

describe('metrics', () => {
  test.each(['/api/metrics', '/metrics'])(
    '%s is in the text format of Prometheus, for anybody',
    async path => {
      const {status, headers, text} = await service.get(path, {});
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      for (const [name, type] of [
        ['graphql_duration', 'histogram'],
        ['graphql_query_depth', 'histogram'],
        ['graphql_query_height', 'histogram'],
        ['graphql_query_objects', 'histogram'],
        ['graphql_response_size', 'histogram'],
        ['graphql_query_errors', 'counter'],
        ['http_request_duration_seconds', 'histogram'],
        ['store_commit_duration_seconds', 'histogram'],
        ['store_database_bytes', 'gauge'],
        ['cache_documents', 'gauge'],
        ['process_resident_memory_bytes', 'gauge'],
        ['nodejs_eventloop_lag_seconds', 'gauge'],
      ]) {
        expect(text).toContain(`# TYPE ${name} ${type}\n`);
      }
    },
  );

  test('a query counts with its depth, its height, its kinds and the size of its answer', async () => {
    const before = await numbers();
    const query = `{
      BuiltinTag(first: 3) { edges { node { ...tag } } }
      CoreAccount { count }
    }
    fragment tag on BuiltinTag { name { value } profiles { count } }`;
    const {text} = await service.post('/graphql/main', {query});
    const after = await numbers();
    const sum = (name: string) => grown(before, after, `${name}_sum{type="query"}`);
    expect(grown(before, after, 'graphql_duration_count{type="query"}')).toBe(1);
    expect(sum('graphql_query_depth')).toBe(5);
    expect(sum('graphql_query_height')).toBe(9);
    expect(sum('graphql_query_objects')).toBe(3);
    expect(sum('graphql_response_size')).toBe(Buffer.byteLength(text));
    expect(sum('graphql_duration')).toBeGreaterThan(0);
  });

  test('five nested levels are a depth of five', async () => {
    const before = await numbers();
    await service.post('/graphql/main', {query: '{ BuiltinTag { edges { node { name { value } } } } }'});
    const after = await numbers();
    expect(grown(before, after, 'graphql_query_depth_sum{type="query"}')).toBe(5);
  });

  test('a mutation counts as one, with its commit, and errors count by their code', async () => {
    const before = await numbers();
    const create = 'mutation { BuiltinTagCreate(data: {name: {value: "one"}}) { ok } }';
    await service.post('/graphql/main', {query: create});
    await service.post('/graphql/main', {query: create});
    await service.post('/graphql/main', {query: '{ NoSuchThing }'});
    const after = await numbers();
    expect(grown(before, after, 'graphql_duration_count{type="mutation"}')).toBe(2);
    expect(grown(before, after, 'graphql_query_objects_sum{type="mutation"}')).toBe(2);
    expect(grown(before, after, 'graphql_query_errors{type="mutation",code="CONSTRAINT_VIOLATION"}')).toBe(1);
    expect(grown(before, after, 'graphql_query_errors{type="refused",code="VALIDATION_ERROR"}')).toBe(1);
    expect(grown(before, after, 'store_writes_total')).toBeGreaterThanOrEqual(1);
  });

  test('requests count under the template of their endpoint, whatever callers write', async () => {
    const before = await numbers();
    for (const path of ['/api/schema/BuiltinTag', '/api/schema/Nothing', '/api/x/1', '/api/x/2']) {
      await service.get(path);
    }
    const after = await numbers();
    const total = (path: string, status: number) =>
      grown(before, after, `http_requests_total{method="GET",path="${path}",status_code="${status}"}`);
    expect([
      total('/api/schema/:schema_kind', 200),
      total('/api/schema/:schema_kind', 404),
      total('none', 404),
    ]).toEqual([1, 1, 2]);
    expect(after.get('http_requests_in_progress')).toBe(1);
    expect([...after.keys()].filter(key => key.includes('Nothing'))).toEqual([]);
  });
});

describe('query details', () => {
  test('are logged with their parameters when the setting asks for it, those of threads included', async () => {
    const watched = await openWholeService({SERVICE_MISC_PRINT_QUERY_DETAILS: 'true'});
    await watched.post('/graphql/main', {query: 'mutation { BranchCreate(data: {name: "side"}) { ok } }'});
    const before = watched.lines.length;
    const {body} = await watched.post('/graphql/main', {query: '{ DiffTree(branch: "side") { num_added } }'});
    expect(body.errors).toBeUndefined();
    const lines = watched.lines.slice(before).filter(line => line.logger === 'database');
    expect(lines.some(({sql}) => String(sql).includes('FROM commits'))).toBe(true);
    expect(lines[0]).toMatchObject({
      level: 'INFO',
      message: 'query',
      sql: expect.any(String),
      params: expect.any(Array),
      duration_ms: expect.any(Number),
    });
  });

  test('are not logged otherwise', () => {
    expect(service.lines.filter(line => line.logger === 'database')).toEqual([]);
  });
});
