import {describe, expect, test} from 'vitest';
import {ADMIN_KEY, bearer, openAccessWorld} from './access-world.ts';

const world = await openAccessWorld({
  publicUrl: 'https://graph.example.com/trellis',
  corsOrigins: ['https://app.example.com'],
});
const {access_token, refresh_token} = (await world.logIn()).body;
const cookie = `access_token=${access_token}; refresh_token=${refresh_token}`;
const payload = {query: '{__typename}'};

const post = (headers: Record<string, string>) =>
  world.ask('POST', '/graphql', {headers: {host: 'inside:8000', ...headers}, payload});

describe('a write with the cookies of a browser', () => {
  test.each<[string, Record<string, string>]>([
    ['its own page', {'sec-fetch-site': 'same-origin', origin: 'https://graph.example.com'}],
    ['the address bar', {'sec-fetch-site': 'none'}],
    ['the public origin', {origin: 'https://graph.example.com'}],
    ['the host it was sent to', {origin: 'http://inside:8000'}],
    ['an allowed origin', {'sec-fetch-site': 'cross-site', origin: 'https://app.example.com'}],
    ['a page of the public origin', {referer: 'https://graph.example.com/some/page'}],
    ['a client that is no browser', {}],
  ])('is accepted from %s', async (_from, headers) => {
    expect((await post({cookie, ...headers})).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ['another site', {'sec-fetch-site': 'cross-site', origin: 'https://evil.example'}],
    [
      'a neighbour under the same domain',
      {'sec-fetch-site': 'same-site', origin: 'https://evil.example.com'},
    ],
    ['another origin, without the newer header', {origin: 'https://evil.example'}],
    ['a page that hides its origin', {origin: 'null'}],
    ['another page', {referer: 'https://evil.example/graph.example.com'}],
    ['a look-alike', {origin: 'https://graph.example.com.evil.example'}],
    ['a cross-site form without an origin', {'sec-fetch-site': 'cross-site'}],
  ])('is refused from %s', async (_from, headers) => {
    expect((await post({cookie, ...headers})).status).toBe(403);
    for (const path of ['refresh', 'logout']) {
      const answer = await world.ask('POST', `/api/auth/${path}`, {headers: {cookie, ...headers}});
      expect(answer.status).toBe(403);
    }
    const login = {headers, payload: {username: 'admin', password: 'service'}};
    expect((await world.ask('POST', '/api/auth/login', login)).status).toBe(403);
  });

  test('credentials that a page must know itself are not concerned, nor are reads', async () => {
    const evil = {'sec-fetch-site': 'cross-site', origin: 'https://evil.example'};
    expect((await post({...ADMIN_KEY, ...evil})).status).toBe(200);
    expect((await post({...bearer(access_token), ...evil})).status).toBe(200);
    expect((await post({cookie, ...ADMIN_KEY, ...evil})).status).toBe(200);
    expect((await world.ask('GET', '/api/schema/summary', {headers: {cookie, ...evil}})).status).toBe(200);
  });
});

test('cookies are for https alone where the public address is https', async () => {
  const {headers} = await world.logIn();
  for (const text of headers['set-cookie'] as string[]) expect(text).toMatch(/; Secure$/);
});

test('every answer carries the headers that keep browsers careful', async () => {
  for (const url of ['/api/health', '/api/schema/summary', '/graphql?query={__typename}', '/api/nowhere']) {
    const {headers} = await world.ask('GET', url);
    expect(headers['content-security-policy'], url).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-powered-by']).toBeUndefined();
  }
});

test('tokens are not to be kept by caches', async () => {
  expect((await world.logIn()).headers['cache-control']).toBe('no-store');
  const headers = bearer(refresh_token);
  expect((await world.ask('POST', '/api/auth/refresh', {headers})).headers['cache-control']).toBe('no-store');
});
