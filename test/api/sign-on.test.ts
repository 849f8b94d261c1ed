import {createServer, type RequestListener, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {OAuth2Server} from 'oauth2-mock-server';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {oauth2Provider} from '../../src/adapters/identity/oauth2-provider.ts';
import {openidProvider} from '../../src/adapters/identity/openid-provider.ts';
import {finalUrl} from '../../src/app/access/final-url.ts';
import {type AccessWorld, bearer, openAccessWorld} from './access-world.ts';

const BASE = 'http://trellis.test';
const callback = (protocol: string, provider: string) => `${BASE}/auth/${protocol}/${provider}/callback`;
const CLIENT = {client_id: 'trellis', client_secret: 'a secret of the client'};

interface Person {
  readonly name?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
}

/** Who each subject is, at every provider. */
const people = new Map<string, Person>();

interface OidcProvider {
  callback(): RequestListener;
}
/** It comes without types. */
const UNTYPED: string = 'oidc-provider';

type MakeProvider = new (issuer: string, configuration: object) => OidcProvider;

const mock = new OAuth2Server();
let subject = '';
let oidc: Server;
let world: AccessWorld;

beforeAll(async () => {
  await mock.issuer.keys.generate('RS256');
  await mock.start(0, '127.0.0.1');
  mock.service.on('beforeTokenSigning', (token: {payload: Record<string, unknown>}) => {
    token.payload.sub = subject;
  });
  mock.service.on('beforeUserinfo', (answer: {body: unknown; statusCode: number}) => {
    answer.body = {sub: subject, ...people.get(subject)};
  });
  const {default: Provider} = (await import(UNTYPED)) as {default: MakeProvider};
  let listener: RequestListener = () => undefined;
  oidc = createServer((request, response) => listener(request, response));
  await new Promise<void>(resolve => oidc.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(oidc.address() as AddressInfo).port}`;
  listener = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [callback('oidc', 'real')],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: {openid: ['sub'], profile: ['name', 'groups'], email: ['email']},
    pkce: {required: () => true},
    cookies: {keys: ['a key for the cookies of the test']},
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({sub: id, ...people.get(id)}),
    }),
  }).callback();
  const url = String(mock.issuer.url);
  world = await openAccessWorld({
    publicUrl: BASE,
    defaultGroup: 'Trellis Users',
    providers: [
      openidProvider({...CLIENT, name: 'real', discovery_url: `${issuer}/.well-known/openid-configuration`}),
      openidProvider({...CLIENT, name: 'mock', discovery_url: `${url}/.well-known/openid-configuration`}),
      openidProvider({...CLIENT, name: 'dead', discovery_url: 'http://127.0.0.1:1/nothing'}),
      oauth2Provider({
        ...CLIENT,
        name: 'mock',
        authorization_url: `${url}/authorize`,
        token_url: `${url}/token`,
        userinfo_url: `${url}/userinfo`,
      }),
    ],
  });
}, 300_000);

afterAll(async () => {
  await mock.stop();
  oidc.closeAllConnections();
  oidc.close();
});

/** As a browser would: follows redirects with its cookies, fills in the forms, and stops at our address. */
async function browse(start: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: Record<string, string> | undefined;
  for (let step = 0; step < 20; step += 1) {
    const answer = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')},
      ...(form === undefined ? {} : {body: new URLSearchParams(form)}),
    });
    for (const text of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = text.split(';')[0]!.split('=');
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location !== null) {
      url = new URL(location, url).href;
      form = undefined;
      if (url.startsWith(BASE)) return new URL(url);
      continue;
    }
    const html = await answer.text();
    const action = /action="([^"]+)"/.exec(html)?.[1];
    if (action === undefined) throw new Error(`${answer.status} ${html.slice(0, 500)}`);
    url = new URL(action, url).href;
    form = html.includes('name="login"') ? {prompt: 'login', login, password: 'any'} : {prompt: 'consent'};
  }
  throw new Error('the provider never sent the browser back');
}

async function begin(protocol: string, provider: string, final?: string): Promise<string> {
  const query = final === undefined ? '' : `?final_url=${encodeURIComponent(final)}`;
  const answer = await world.ask('GET', `/api/${protocol}/${provider}/authorize${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(307);
  return String(answer.headers.location);
}

const finish = (protocol: string, provider: string, back: URL) =>
  world.ask('GET', `/api/${protocol}/${provider}/token${back.search}`);

async function signOn(protocol: string, provider: string, who: string, final?: string) {
  subject = who;
  return finish(protocol, provider, await browse(await begin(protocol, provider, final), who));
}

async function whoIs(token: string) {
  const query =
    '{AccountProfile {id name {value} label {value} account_type {value} member_of_groups {edges {node {display_label}}}}}';
  const {body} = await world.graphql(query, bearer(token));
  const {id, name, label, account_type, member_of_groups} = body.data.AccountProfile;
  const groups = member_of_groups.edges.map(({node}: {node: {display_label: string}}) => node.display_label);
  return {id, name: name.value, label: label.value, type: account_type.value, groups: groups.sort()};
}

describe.each([
  ['oidc', 'real'],
  ['oidc', 'mock'],
  ['oauth2', 'mock'],
])('single sign-on with %s through %s', (protocol, provider) => {
  const named = (who: string) => `${who}-${protocol}-${provider}`;

  test('opens a session for a new account in the default group, and goes where it was asked to', async () => {
    const who = named('ada');
    people.set(who, {name: who, email: `${who}@example.com`});
    const {status, body, cookies} = await signOn(protocol, provider, who, `${BASE}/devices?x=1`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'final_url', 'refresh_token']);
    expect(body.final_url).toBe(`${BASE}/devices?x=1`);
    expect(cookies.map(({name}) => name)).toEqual(['access_token', 'refresh_token']);
    expect(await whoIs(body.access_token)).toMatchObject({
      name: who,
      type: 'User',
      groups: ['Trellis Users'],
    });
  });

  test('knows people by their subject, whatever they are called', async () => {
    const [bob, eve] = [named('bob'), named('eve')];
    people.set(bob, {name: `Bob ${protocol} ${provider}`, email: `${bob}@example.com`});
    const first = await whoIs((await signOn(protocol, provider, bob)).body.access_token);
    people.set(bob, {name: 'Robert'});
    const again = await whoIs((await signOn(protocol, provider, bob)).body.access_token);
    expect(again.id).toBe(first.id);
    people.set(eve, {name: first.name, email: `${eve}@example.com`});
    const other = await whoIs((await signOn(protocol, provider, eve)).body.access_token);
    expect(other.id).not.toBe(first.id);
    expect(other.name).toBe(`${eve}@example.com`);
  });

  test('never makes anybody a local account', async () => {
    const who = named('mallory');
    people.set(who, {name: 'admin', email: 'admin'});
    const found = await whoIs((await signOn(protocol, provider, who)).body.access_token);
    expect(found.id).not.toBe(await world.idOf('CoreAccount', 'admin'));
    expect(found.name).toBe(`${provider}:${who}`);
  });

  test('adds the groups that the provider names, and takes none away', async () => {
    const who = named('carol');
    people.set(who, {name: who, groups: ['Super Administrators', 'no such group']});
    const first = await signOn(protocol, provider, who);
    expect((await whoIs(first.body.access_token)).groups).toEqual(['Super Administrators']);
    people.set(who, {name: who, groups: ['Trellis Users']});
    const again = await signOn(protocol, provider, who);
    expect((await whoIs(again.body.access_token)).groups).toEqual(['Super Administrators', 'Trellis Users']);
  });

  test('a state is good once, for its provider, and not for ever', async () => {
    const who = named('dan');
    people.set(who, {name: who});
    subject = who;
    const back = await browse(await begin(protocol, provider), who);
    expect((await finish(protocol, provider, back)).status).toBe(200);
    const refused = {status: 400, body: {errors: [{message: "Invalid 'state' parameter"}]}};
    expect(await finish(protocol, provider, back)).toMatchObject(refused);
    const elsewhere = await browse(await begin(protocol, provider), who);
    const [otherProtocol, otherProvider] = protocol === 'oauth2' ? ['oidc', 'real'] : ['oauth2', 'mock'];
    expect(await finish(otherProtocol!, otherProvider!, elsewhere)).toMatchObject(refused);
    const late = await browse(await begin(protocol, provider), who);
    world.pass(601);
    expect(await finish(protocol, provider, late)).toMatchObject(refused);
    const forged = new URL(`${BASE}/?state=made-up&code=x`);
    expect(await finish(protocol, provider, forged)).toMatchObject(refused);
  });

  test('a code that the provider does not know is no way in', async () => {
    const back = await browse(await begin(protocol, provider), named('ada'));
    back.searchParams.set('code', 'another');
    const answer = await finish(protocol, provider, back);
    expect(answer).toMatchObject({
      status: 502,
      body: {errors: [{message: 'Invalid response from Authentication provider', extensions: {code: 502}}]},
    });
  });

  test('a deactivated account stays outside', async () => {
    const who = named('gone');
    people.set(who, {name: who});
    const {id} = await whoIs((await signOn(protocol, provider, who)).body.access_token);
    await world.update(id, {status: 'inactive'});
    expect(await signOn(protocol, provider, who)).toMatchObject({
      status: 401,
      body: {errors: ['This account has been deactivated']},
    });
  });

  test('the browser of a person is sent on with the session in its cookies', async () => {
    const who = named('ada');
    subject = who;
    const back = await browse(await begin(protocol, provider, '/menu'), who);
    const answer = await world.ask('GET', `${back.pathname}${back.search}`);
    expect([answer.status, answer.headers.location]).toEqual([303, `${BASE}/menu`]);
    expect(answer.cookies.map(({name}) => name)).toEqual(['access_token', 'refresh_token']);
  });

  test('asks for what protects the way back', async () => {
    const url = new URL(await begin(protocol, provider));
    expect(url.searchParams.get('response_type')).toBe('code');
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.searchParams.get('redirect_uri')).toBe(callback(protocol, provider));
    expect(url.searchParams.get('scope')).toBe('openid profile email');
    expect(url.searchParams.get('state')).toMatch(/^[\w-]{43}$/);
    expect(url.searchParams.has('nonce')).toBe(protocol === 'oidc');
    expect(url.href).not.toContain('secret');
  });
});

describe('an identity token that cannot be believed', () => {
  test.each([
    ['of another issuer', {payload: {iss: 'https://evil.example'}, header: {}}],
    ['for another client', {payload: {aud: 'another'}, header: {}}],
    ['with another nonce', {payload: {nonce: 'replayed'}, header: {}}],
    ['that ran out', {payload: {exp: 1_000_000_000}, header: {}}],
    ['signed with a key that the issuer does not have', {payload: {}, header: {kid: 'unknown'}}],
  ])('%s lets nobody in', async (_what, spoilt) => {
    const listener = ({payload, header}: {payload: object; header: object}) => {
      Object.assign(payload, spoilt.payload);
      Object.assign(header, spoilt.header);
    };
    mock.service.on('beforeTokenSigning', listener);
    try {
      expect((await signOn('oidc', 'mock', 'somebody')).status).toBe(502);
    } finally {
      mock.service.off('beforeTokenSigning', listener);
    }
  });

  test('a subject of the userinfo that differs lets nobody in', async () => {
    mock.service.once('beforeUserinfo', (answer: {body: unknown}) => {
      answer.body = {sub: 'somebody else'};
    });
    expect((await signOn('oidc', 'mock', 'somebody')).status).toBe(502);
  });
});

describe('bad requests', () => {
  test('an unknown provider is 400', async () => {
    for (const path of [
      'oidc/nobody/authorize',
      'oauth2/real/authorize',
      'oidc/nobody/token?state=a&code=b',
    ]) {
      const answer = await world.ask('GET', `/api/${path}`);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].message).toMatch(/^The provider \w+ has not been initialized$/);
    }
  });

  test('a return without state or code is 422', async () => {
    for (const query of ['', '?state=a', '?code=b']) {
      expect((await world.ask('GET', `/api/oidc/real/token${query}`)).status).toBe(422);
    }
  });

  test('a provider that cannot be reached is 502, and may come back later', async () => {
    expect((await world.ask('GET', '/api/oidc/dead/authorize')).status).toBe(502);
    expect((await world.ask('GET', '/api/oidc/dead/authorize')).status).toBe(502);
  });

  test('no secret of the client or of a person is in the log', () => {
    const text = JSON.stringify(world.lines);
    expect(text).not.toContain(CLIENT.client_secret);
    expect(text).not.toMatch(/code=|eyJ/);
  });
});

test.each([
  [undefined, BASE],
  ['', BASE],
  ['/devices', `${BASE}/devices`],
  [`${BASE}/a?b=c#d`, `${BASE}/a?b=c#d`],
  ['https://app.example.com/x', 'https://app.example.com/x'],
  ['https://evil.example/', BASE],
  ['//evil.example/', BASE],
  ['/\\evil.example', BASE],
  ['https:evil.example', BASE],
  ['http://trellis.test@evil.example/', BASE],
  ['http://user:pw@trellis.test/', BASE],
  ['http://trellis.test.evil.example/', BASE],
  ['http://trellis.test:81/', BASE],
  ['javascript:alert(1)', BASE],
  ['data:text/html,x', BASE],
  ['http://[', BASE],
])('after signing on, %s leads to %s', (wanted, expected) => {
  expect(finalUrl(wanted, BASE, ['https://app.example.com'])).toBe(expected);
});
