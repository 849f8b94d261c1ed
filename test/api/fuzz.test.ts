import fc from 'fast-check';
import {Compile} from 'typebox/compile';
import {beforeAll, describe, expect, test} from 'vitest';
import {type JsonSchema, type Operation, requestTo} from './openapi-requests.ts';
import {AS_ADMIN, openWholeService, type WholeService} from './whole-service.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 25);

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {readonly schemas: Readonly<Record<string, JsonSchema>>};
}

/** Made too often it would only test the disk; its own tests look at it. */
const LEFT_OUT = new Set(['/api/operations/backup']);

let service: WholeService;
let document: OpenApi;

beforeAll(async () => {
  service = await openWholeService({SERVICE_API_MAX_BODY_SIZE: '100000'});
  document = (await service.get('/api/openapi.json', {})).body as OpenApi;
});

const resolved = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)!]!;

/** Every answer is one that the document names, in the form that it gives it. */
async function checkAnswer(
  method: string,
  operation: Operation,
  url: string,
  init: RequestInit,
): Promise<void> {
  const answer = await fetch(service.address + url, {
    ...init,
    method: method.toUpperCase(),
    redirect: 'manual',
  });
  const text = await answer.text();
  const where = `${method} ${url} ${String(init.body).slice(0, 300)} -> ${answer.status} ${text.slice(0, 300)}`;
  expect(answer.status, where).not.toBe(500);
  const documented = operation.responses[String(answer.status)];
  expect(documented, where).toBeDefined();
  const content = documented?.content?.['application/json'];
  if (content === undefined || answer.status === 304) return;
  expect(answer.headers.get('content-type'), where).toContain('application/json');
  const errors = Compile(resolved(content.schema) as never).Errors(JSON.parse(text));
  expect(errors, where).toEqual([]);
}

describe('requests made from the API document', () => {
  test(`are answered as it says, and none meets a fault (FUZZ_RUNS=${RUNS})`, {
    timeout: 600_000,
  }, async () => {
    const problems: string[] = [];
    for (const [path, item] of Object.entries(document.paths)) {
      if (LEFT_OUT.has(path)) continue;
      for (const [method, operation] of Object.entries(item)) {
        const property = fc.asyncProperty(
          requestTo(path, operation),
          fc.boolean(),
          async (request, isKnown) => {
            const hasBody = method !== 'get' && request.body !== undefined;
            const headers = {
              ...(isKnown ? AS_ADMIN : {}),
              ...(hasBody ? {'content-type': request.type} : {}),
            };
            await checkAnswer(method, operation, request.url, {
              headers,
              ...(hasBody ? {body: request.body as string} : {}),
            });
          },
        );
        await fc
          .assert(property, {numRuns: RUNS})
          .catch((error: Error) => problems.push(String(error.cause ?? error).slice(0, 900)));
      }
    }
    expect(problems.join('\n\n')).toBe('');
  });

  test('to paths that do not exist are 404 for every method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      for (const path of ['/api/', '/api/nothing', '/api/schema/a/b/c', '/api/auth/login/x', '/api/%00']) {
        const answer = await fetch(service.address + path, {method});
        expect(answer.status, `${method} ${path}`).toBe(404);
      }
    }
  });
});
