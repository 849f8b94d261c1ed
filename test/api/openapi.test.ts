import {beforeAll, describe, expect, test} from 'vitest';
import {openWholeService, type WholeService} from './whole-service.ts';

let service: WholeService;
// biome-ignore lint/suspicious/noExplicitAny: a document of every shape.
let document: any;

beforeAll(async () => {
  service = await openWholeService();
  document = (await service.get('/api/openapi.json', {})).body;
});

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters: readonly {readonly name: string; readonly in: string; readonly required: boolean}[];
  readonly requestBody?: {readonly required: boolean; readonly content: Readonly<Record<string, unknown>>};
  readonly responses: Readonly<Record<string, {readonly description: string}>>;
}

const operations = (): readonly (readonly [string, string, Operation])[] =>
  Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [method, path, operation] as const),
  );

describe('the API document', () => {
  test('is OpenAPI 3.1.0, for anybody', async () => {
    const {status, headers} = await service.get('/api/openapi.json', {});
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(document).toMatchObject({openapi: '3.1.0', info: {title: 'Trellis'}});
  });

  test.each([
    ['post', '/api/auth/login'],
    ['post', '/api/auth/refresh'],
    ['post', '/api/auth/logout'],
    ['get', '/api/oauth2/{provider_name}/authorize'],
    ['get', '/api/oidc/{provider_name}/token'],
    ['get', '/api/schema'],
    ['get', '/api/schema/summary'],
    ['get', '/api/schema/{schema_kind}'],
    ['get', '/api/schema/json_schema/{schema_kind}'],
    ['post', '/api/schema/load'],
    ['post', '/api/schema/check'],
    ['get', '/api/diff/files'],
    ['get', '/api/diff/artifacts'],
    ['get', '/api/config'],
    ['get', '/api/info'],
    ['get', '/api/menu'],
    ['get', '/api/health'],
    ['get', '/api/metrics'],
    ['get', '/api/artifact/{artifact_id}'],
    ['post', '/api/artifact/generate/{artifact_definition_id}'],
    ['get', '/api/file/{repository_id}/{file_path}'],
    ['get', '/api/query/{query_id}'],
    ['post', '/api/query/{query_id}'],
    ['get', '/api/transform/python/{transform_id}'],
    ['get', '/api/transform/jinja2/{transform_id}'],
    ['get', '/api/storage/object/{identifier}'],
    ['post', '/api/storage/upload/content'],
    ['post', '/api/storage/upload/file'],
  ])('has %s %s', (method, path) => {
    expect(document.paths[path]?.[method]).toBeDefined();
  });

  test('names each operation once, says what it does, and how it refuses', () => {
    const ids = operations().map(([, , {operationId}]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [method, path, operation] of operations()) {
      expect(operation.summary, path).not.toBe('');
      const statuses = Object.keys(operation.responses);
      expect(statuses, `${method} ${path}`).toEqual(expect.arrayContaining(['422', '500']));
      expect(
        statuses.some(status => status < '400'),
        path,
      ).toBe(true);
      for (const {description} of Object.values(operation.responses)) expect(description).not.toBe('');
      const inPath = operation.parameters.filter(each => each.in === 'path').map(({name}) => name);
      expect(inPath, path).toEqual(Array.from(path.matchAll(/\{(\w+)\}/g), match => match[1]));
    }
  });

  test('every reference in it leads somewhere', () => {
    const references = Array.from(
      JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g),
      ([, to]) => to!,
    );
    expect(references.length).toBeGreaterThan(10);
    for (const to of new Set(references)) {
      const found = to.split('/').reduce((at, key) => at?.[key], document);
      expect(found, to).toBeDefined();
    }
  });

  test('operations that write need a credential, those that read may do without, open ones ask nobody', () => {
    const byPath = (path: string, method: string): Operation => document.paths[path][method];
    expect(byPath('/api/schema/load', 'post').security).toEqual([{HTTPBearer: []}, {APIKeyHeader: []}]);
    expect(byPath('/api/schema', 'get').security).toContainEqual({});
    expect(byPath('/api/config', 'get').security).toEqual([]);
  });
});

describe('pages under /api', () => {
  test.each(['/api/docs', '/api/redoc'])(
    '%s is a page for anybody, and runs only our own scripts',
    async path => {
      const {status, headers, text} = await service.get(path, {});
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
      for (const [, address] of text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
        expect((await service.get(address!, {})).status, address).toBe(200);
      }
    },
  );
});

describe('what the service says of itself', () => {
  test('the configuration is for anybody and holds no secret', async () => {
    const {status, body, text} = await service.get('/api/config', {});
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['main', 'logging', 'analytics', 'experimental_features', 'sso']),
    );
    expect(body.main).toMatchObject({allow_anonymous_access: true, public_url: null});
    expect(body.sso).toEqual({enabled: false, providers: []});
    expect(text).not.toContain('the-key-of-admin');
  });

  test('the deployment keeps its id, and a bad credential is told', async () => {
    const first = await service.get('/api/info');
    expect(first.body).toEqual({deployment_id: expect.any(String), version: expect.any(String)});
    expect((await service.get('/api/info')).body).toEqual(first.body);
    const refused = await service.get('/api/info', {'x-service-key': 'nobody'});
    expect([refused.status, refused.body]).toEqual([401, {errors: ['Invalid token']}]);
  });
});

describe('the menu', () => {
  interface Item {
    readonly identifier: string;
    readonly path: string;
    readonly children: readonly Item[];
  }
  const names = (items: readonly Item[]) => items.map(({identifier}) => identifier);

  test('has the entries that come with the service, and hides from others what is for administrators', async () => {
    const {body} = await service.get('/api/menu');
    expect(names(body.sections.internal)).toEqual([
      'BuiltinBranches',
      'BuiltinObjectManagement',
      'BuiltinActions',
      'BuiltinIntegration',
      'BuiltinActivity',
      'BuiltinAdmin',
    ]);
    const anonymous = await service.get('/api/menu', {});
    expect(names(anonymous.body.sections.internal)).not.toContain('BuiltinAdmin');
  });

  test('takes up kinds of the schema of its branch, each at its place', async () => {
    await service.post('/graphql/main', {query: 'mutation { BranchCreate(data: {name: "menu"}) { ok } }'});
    const node = (name: string, more: object = {}) => ({
      name,
      namespace: 'Infra',
      attributes: [{name: 'name', kind: 'Text'}],
      ...more,
    });
    const loaded = await service.post('/api/schema/load?branch=menu', {
      schemas: [
        {
          version: '1.0',
          nodes: [
            node('Site'),
            node('Rack', {menu_placement: 'InfraSite'}),
            node('Lost', {menu_placement: 'InfraNowhere'}),
            node('Hidden', {include_in_menu: false}),
          ],
        },
      ],
    });
    expect(loaded.status, loaded.text).toBe(200);
    const {object} = (await service.get('/api/menu?branch=menu')).body.sections as {object: Item[]};
    const site = object.find(({identifier}) => identifier === 'InfraSite');
    expect(names(site!.children)).toEqual(['InfraSiteSub', 'InfraRack']);
    const other = object.find(({identifier}) => identifier === 'BuiltinOther');
    expect(names(other!.children)).toEqual(['BuiltinTag', 'InfraLost']);
    expect(JSON.stringify(object)).not.toContain('InfraHidden');
    expect(names((await service.get('/api/menu')).body.sections.object)).not.toContain('InfraSite');
  });

  test('takes up entries of the branch, below their parents', async () => {
    const create = (data: string) =>
      service.post('/graphql/main', {
        query: `mutation { CoreMenuItemCreate(data: ${data}) { object { id } } }`,
      });
    const top = await create('{namespace: {value: "Our"}, name: {value: "Net"}, label: {value: "Network"}}');
    const {id} = top.body.data.CoreMenuItemCreate.object;
    const below = await create(
      `{namespace: {value: "Our"}, name: {value: "Tags"}, kind: {value: "BuiltinTag"}, parent: {id: "${id}"}}`,
    );
    expect(below.body.errors).toBeUndefined();
    const {object} = (await service.get('/api/menu')).body.sections as {object: Item[]};
    const net = object.find(({identifier}) => identifier === 'OurNet');
    expect(net!.children).toMatchObject([{identifier: 'OurTags', path: '/objects/BuiltinTag', children: []}]);
  });

  test('of an unknown branch or a bad time is refused', async () => {
    expect((await service.get('/api/menu?branch=nowhere')).status).toBe(400);
    expect((await service.get('/api/menu?at=whenever')).status).toBe(400);
  });
});
