import {decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT} from 'jose';
import {beforeEach, describe, expect, test} from 'vitest';
import {ADMIN_KEY, bearer, MAIN, openAccessWorld, SECRET_KEY} from './access-world.ts';

const world = await openAccessWorld();
const admin = await world.idOf('CoreAccount', 'admin');
const {ask, logIn} = world;

beforeEach(() => {
  world.pass(7200);
});

const refused = (message: string) => ({status: 401, body: {errors: [message]}});
const info = (headers: Record<string, string>) => ask('GET', '/api/schema/summary', {headers});
const nowSeconds = () => Math.floor(world.time.micros / 1_000_000);

describe('login', () => {
  test('answers both tokens, each with exactly the seven claims, signed with HS256', async () => {
    const {status, body} = await logIn();
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'refresh_token']);
    const access = decodeJwt(body.access_token);
    const refresh = decodeJwt(body.refresh_token);
    const at = nowSeconds();
    const session_id = access.session_id;
    expect(access).toEqual({
      sub: admin,
      iat: at,
      nbf: at,
      exp: at + 3600,
      fresh: false,
      type: 'access',
      session_id,
    });
    expect(refresh).toEqual({
      sub: admin,
      iat: at,
      nbf: at,
      exp: at + 2_592_000,
      fresh: false,
      type: 'refresh',
      session_id,
    });
    expect(session_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(decodeProtectedHeader(body.access_token)).toEqual({alg: 'HS256', typ: 'JWT'});
  });

  test('sets both cookies for the server alone', async () => {
    const {headers} = await logIn();
    const cookies = headers['set-cookie'] as string[];
    expect(cookies[0]).toMatch(/^access_token=\S+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookies[1]).toMatch(/^refresh_token=\S+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('each login is a session of its own', async () => {
    const [one, two] = [await logIn(), await logIn()];
    await ask('POST', '/api/auth/logout', {headers: bearer(one.body.access_token)});
    expect((await info(bearer(two.body.access_token))).status).toBe(200);
  });

  test('a wrong password and an unknown user are refused with the same words', async () => {
    expect(await logIn('admin', 'wrong')).toMatchObject(refused('Incorrect password'));
    expect(await logIn('nobody', 'service')).toMatchObject(refused('Incorrect password'));
    expect(await logIn('admin', '')).toMatchObject(refused('Incorrect password'));
  });

  test('a deactivated account is told so, once it has shown its password', async () => {
    const passwordHash = await world.access.passwords.hash('pw');
    await world.make('CoreAccount', {name: 'gone', password: passwordHash, status: 'inactive'});
    expect(await logIn('gone', 'pw')).toMatchObject(refused('This account has been deactivated'));
    expect(await logIn('gone', 'no')).toMatchObject(refused('Incorrect password'));
  });

  test.each([
    ['no body', undefined],
    ['a list', []],
    ['a number', 5],
    ['a text', '"admin"'],
    ['null', 'null'],
    ['no password', {username: 'admin'}],
    ['a password of another type', {username: 'admin', password: 5}],
    ['a user name that is a list', {username: ['admin'], password: 'service'}],
  ])('%s is 422', async (_what, payload) => {
    const headers = {'content-type': 'application/json'};
    const answer = await ask('POST', '/api/auth/login', {headers, payload});
    expect(answer.status).toBe(422);
    expect(answer.body.detail.length).toBeGreaterThan(0);
  });

  test('a body that is no JSON is 400', async () => {
    const headers = {'content-type': 'application/json'};
    expect((await ask('POST', '/api/auth/login', {headers, payload: '{"user'})).status).toBe(400);
  });

  test('odd texts are wrong names, not faults', async () => {
    for (const name of ['', ' ', 'admin\u0000', '\ud800', "' OR 1=1 --", 'x'.repeat(100_000)]) {
      expect(await logIn(name, name)).toMatchObject(refused('Incorrect password'));
    }
  });
});

describe('many failures', () => {
  test('make that account wait at that address, and nobody else', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await logIn('admin', `guess ${attempt}`, '192.0.2.66')).status).toBe(401);
    }
    const throttled = await logIn('admin', 'service', '192.0.2.66');
    expect(throttled.status).toBe(429);
    expect(throttled.headers['retry-after']).toBe('2');
    expect(throttled.body.errors[0].extensions).toEqual({code: 429});
    expect((await logIn('admin', 'service', '192.0.2.67')).status).toBe(200);
    expect((await logIn('other', 'service', '192.0.2.66')).status).toBe(401);
    world.pass(2);
    expect((await logIn('admin', 'once more', '192.0.2.66')).status).toBe(401);
    expect((await logIn('admin', 'service', '192.0.2.66')).headers['retry-after']).toBe('4');
    world.pass(4);
    expect((await logIn('admin', 'service', '192.0.2.66')).status).toBe(200);
    expect((await logIn('admin', 'wrong', '192.0.2.66')).status).toBe(401);
    expect((await logIn('admin', 'service', '192.0.2.66')).status).toBe(200);
  });
});

describe('a session', () => {
  test('its access token lets in until it expires, to the second', async () => {
    const {body} = await logIn();
    const headers = bearer(body.access_token);
    world.pass(3599);
    expect((await info(headers)).status).toBe(200);
    world.pass(1);
    expect(await info(headers)).toMatchObject(refused('Expired Signature'));
  });

  test('its refresh token gives new access tokens of the same session until it expires', async () => {
    const {body} = await logIn();
    world.pass(2_591_999);
    const answer = await ask('POST', '/api/auth/refresh', {headers: bearer(body.refresh_token)});
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['access_token']);
    expect(decodeJwt(answer.body.access_token).session_id).toBe(decodeJwt(body.access_token).session_id);
    expect(answer.cookies.map(({name}) => name)).toEqual(['access_token']);
    expect((await info(bearer(answer.body.access_token))).status).toBe(200);
    world.pass(1);
    const late = await ask('POST', '/api/auth/refresh', {headers: bearer(body.refresh_token)});
    expect(late).toMatchObject(refused('Expired Signature'));
  });

  test('logout ends both tokens at once', async () => {
    const {body} = await logIn();
    const headers = bearer(body.access_token);
    const out = await ask('POST', '/api/auth/logout', {headers});
    expect([out.status, out.body]).toEqual([200, null]);
    expect(out.headers['set-cookie']).toEqual([
      'access_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
      'refresh_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ]);
    expect(await info(headers)).toMatchObject(refused('Invalid token'));
    expect(await ask('POST', '/api/auth/logout', {headers})).toMatchObject(refused('Invalid token'));
    const again = await ask('POST', '/api/auth/refresh', {headers: bearer(body.refresh_token)});
    expect(again).toMatchObject(refused('Invalid token'));
  });

  test('cookies work as well as headers', async () => {
    const {body} = await logIn();
    const cookie = `a=b; access_token=${body.access_token}; refresh_token=${body.refresh_token}`;
    expect((await info({cookie})).status).toBe(200);
    expect(
      (await ask('POST', '/graphql', {headers: {cookie}, payload: {query: '{__typename}'}})).status,
    ).toBe(200);
    expect((await ask('POST', '/api/auth/refresh', {headers: {cookie}})).status).toBe(200);
    expect((await ask('POST', '/api/auth/logout', {headers: {cookie}})).status).toBe(200);
    expect(await info({cookie})).toMatchObject(refused('Invalid token'));
  });

  test('an empty JSON body is fine where none is needed', async () => {
    const {body} = await logIn();
    const headers = {...bearer(body.refresh_token), 'content-type': 'application/json'};
    expect((await ask('POST', '/api/auth/refresh', {headers, payload: ''})).status).toBe(200);
  });

  test('needs a token to be refreshed or ended', async () => {
    for (const path of ['refresh', 'logout']) {
      expect(await ask('POST', `/api/auth/${path}`)).toMatchObject(refused('Authentication is required'));
    }
  });

  test('sessions that ran out are swept up by the next login', async () => {
    const sessions = async () => {
      const head = await world.store.snapshot({branch: MAIN});
      return (await head.query({kind: 'InternalRefreshToken', count: true, nodes: false})).count;
    };
    await logIn();
    world.pass(2_592_001);
    await logIn();
    expect(await sessions()).toBe(1);
  });
});

describe('tokens that are not ours', () => {
  const secret = new TextEncoder().encode(SECRET_KEY);
  const claims = (session: unknown, more: object = {}) => ({
    sub: admin,
    iat: nowSeconds(),
    nbf: nowSeconds(),
    exp: nowSeconds() + 60,
    fresh: false,
    type: 'access',
    session_id: session,
    ...more,
  });
  const signed = (payload: object, key = secret, alg = 'HS256') =>
    new SignJWT({...payload}).setProtectedHeader({alg, typ: 'JWT'}).sign(key);

  test('are refused, each for what it is', async () => {
    const {body} = await logIn();
    const session = decodeJwt(body.access_token).session_id;
    const [head, payload, mark] = body.access_token.split('.');
    const foreign = new TextEncoder().encode('another secret of the same length..');
    const invalid: readonly string[] = [
      'x',
      'a.b.c',
      `${head}.${payload}.`,
      `${head}.${payload}.${mark.slice(0, -4)}AAAA`,
      `${head}.${Buffer.from(JSON.stringify(claims(session))).toString('base64url')}.${mark}`,
      await signed(claims(session), foreign),
      await signed(claims(session), new TextEncoder().encode(SECRET_KEY.repeat(2)), 'HS512'),
      await signed(claims(session), secret, 'HS384').catch(() => 'x'),
      new UnsecuredJWT(claims(session)).encode(),
      body.refresh_token,
      await signed(claims('00000000-0000-4000-8000-000000000000')),
      await signed(claims(admin)),
      await signed(claims('no uuid')),
      await signed(claims(session, {sub: '00000000-0000-4000-8000-000000000000'})),
      await signed(claims(session, {exp: 'tomorrow'})),
      await signed(claims(session, {nbf: nowSeconds() + 600, exp: nowSeconds() + 900})),
      await signed({sub: admin, exp: nowSeconds() + 60}),
      await signed(claims(session, {type: 'admin'})),
      'x'.repeat(10_000),
      `${body.access_token} ${body.access_token}`,
    ];
    for (const token of invalid) {
      expect(await info(bearer(token)), token.slice(0, 80)).toMatchObject(refused('Invalid token'));
    }
    const old = await signed(claims(session, {exp: nowSeconds() - 1}));
    expect(await info(bearer(old))).toMatchObject(refused('Expired Signature'));
    const forged = await signed(claims(session, {exp: nowSeconds() - 1}), foreign);
    expect(await info(bearer(forged))).toMatchObject(refused('Invalid token'));
    expect((await info(bearer(await signed(claims(session))))).status).toBe(200);
  });

  test('an access token does not refresh', async () => {
    const {body} = await logIn();
    const answer = await ask('POST', '/api/auth/refresh', {headers: bearer(body.access_token)});
    expect(answer).toMatchObject(refused('Invalid token'));
  });
});

describe('the first credential decides', () => {
  test('key before bearer before cookie before nothing', async () => {
    const {body} = await logIn();
    const good = bearer(body.access_token);
    const cookie = {cookie: `access_token=${body.access_token}`};
    expect(await info({...good, 'x-service-key': 'bad'})).toMatchObject(refused('Invalid token'));
    expect((await info({...bearer('bad'), ...ADMIN_KEY})).status).toBe(200);
    expect(await info({...cookie, ...bearer('bad')})).toMatchObject(refused('Invalid token'));
    expect((await info({cookie: 'access_token=bad', ...good})).status).toBe(200);
    expect(await info({cookie: 'access_token=bad'})).toMatchObject(refused('Invalid token'));
    expect((await info({})).status).toBe(200);
  });

  test('an empty or foreign credential is none', async () => {
    const none: readonly Record<string, string>[] = [
      {'x-service-key': ''},
      {'x-api-key': ' '},
      {authorization: ''},
      {authorization: 'Bearer'},
      {authorization: 'Bearer '},
      {authorization: 'Basic YTpi'},
      {authorization: 'nonsense'},
      {cookie: 'access_token='},
      {cookie: ';;=;%%%'},
    ];
    for (const headers of none) {
      expect((await info(headers)).status, JSON.stringify(headers)).toBe(200);
      const answer = await ask('POST', '/graphql', {headers, payload: {query: '{__typename}'}});
      expect(answer).toMatchObject(refused('Authentication is required'));
    }
  });

  test.each(['x-service-key', 'x-api-key', 'x-infrahub-key', 'X-SERVICE-KEY'])(
    '%s carries a key',
    async name => {
      expect((await info({[name]: 'the-key-of-admin'})).status).toBe(200);
      expect(await info({[name]: 'another'})).toMatchObject(refused('Invalid token'));
    },
  );

  test('anonymous callers read over GET and are refused everything else', async () => {
    expect((await ask('GET', '/graphql?query={BuiltinTag{count}}')).body).toEqual({
      data: {BuiltinTag: {count: 0}},
    });
    expect((await ask('OPTIONS', '/graphql')).status).toBe(200);
    const post = {payload: {query: '{BuiltinTag{count}}'}};
    expect(await ask('POST', '/graphql', post)).toMatchObject(refused('Authentication is required'));
    const load = {payload: {schemas: [{version: '1.0'}]}};
    for (const path of ['load', 'check']) {
      expect(await ask('POST', `/api/schema/${path}`, load)).toMatchObject(
        refused('Authentication is required'),
      );
    }
  });
});

test('where anonymous access is off, everything needs a credential', async () => {
  const closed = await openAccessWorld({settings: {allowAnonymousAccess: false}});
  for (const url of [
    '/api/schema',
    '/api/schema/summary',
    '/graphql?query={__typename}',
    '/schema.graphql',
  ]) {
    expect(await closed.ask('GET', url)).toMatchObject(refused('Authentication is required'));
    expect((await closed.ask('GET', url, {headers: ADMIN_KEY})).status).toBe(200);
  }
});

describe('an account that may not come in any more', () => {
  test('is refused at once with every method, and let in again at once', async () => {
    const passwordHash = await world.access.passwords.hash('pw');
    const id = await world.make('CoreAccount', {name: 'eve', password: passwordHash, status: 'active'});
    await world.make('InternalAccountToken', {token: world.access.keyHash('eve-key')}, {account: id});
    const {body} = await logIn('eve', 'pw');
    const ways: readonly Record<string, string>[] = [
      {'x-service-key': 'eve-key'},
      bearer(body.access_token),
      {cookie: `access_token=${body.access_token}`},
    ];
    const answers = async () => Promise.all(ways.map(async headers => info(headers)));
    for (const answer of await answers()) expect(answer.status).toBe(200);
    await world.update(id, {status: 'inactive'});
    const message = 'This account has been deactivated';
    for (const answer of await answers()) expect(answer).toMatchObject(refused(message));
    expect(await logIn('eve', 'pw')).toMatchObject(refused(message));
    const refresh = () => ask('POST', '/api/auth/refresh', {headers: bearer(body.refresh_token)});
    expect(await refresh()).toMatchObject(refused(message));
    await world.update(id, {status: 'active'});
    for (const answer of await answers()) expect(answer.status).toBe(200);
    const deleted = await world.graphql(`mutation {CoreAccountDelete(data: {id: "${id}"}) {ok}}`, ADMIN_KEY);
    expect(deleted.body).toEqual({data: {CoreAccountDelete: {ok: true}}});
    for (const answer of await answers()) expect(answer).toMatchObject(refused('Invalid token'));
    expect(await refresh()).toMatchObject(refused('Invalid token'));
    expect(await logIn('eve', 'pw')).toMatchObject(refused('Incorrect password'));
  });
});

test('the audit log tells who came in and who did not, and no secret', async () => {
  await logIn('admin', 'wrong secret', '192.0.2.9');
  const {body} = await logIn('admin', 'service', '192.0.2.9');
  await ask('POST', '/api/auth/logout', {headers: bearer(body.access_token), address: '192.0.2.9'});
  const audit = world.lines.filter(({logger, address}) => logger === 'audit' && address === '192.0.2.9');
  expect(audit.map(({message, username, account}) => ({message, username, account}))).toEqual([
    {message: 'login failed', username: 'admin', account: undefined},
    {message: 'login', username: 'admin', account: admin},
    {message: 'logout', username: undefined, account: admin},
  ]);
  const text = JSON.stringify(world.lines);
  for (const secret of ['wrong secret', 'the-key-of-admin', body.access_token, body.refresh_token]) {
    expect(text).not.toContain(secret);
  }
});

describe('a change of the password', () => {
  const works = async (token: string) => (await info(bearer(token))).status === 200;
  const refreshes = async (token: string) =>
    (await ask('POST', '/api/auth/refresh', {headers: bearer(token)})).status === 200;

  test('by oneself ends all other sessions, and keeps the one it was made in', async () => {
    await world.graphql(
      'mutation { CoreAccountCreate(data: {name: {value: "mover"}, password: {value: "old-word"}, status: {value: "active"}}) { ok } }',
      ADMIN_KEY,
    );
    const [own, other] = [(await logIn('mover', 'old-word')).body, (await logIn('mover', 'old-word')).body];
    const change = 'mutation { ServiceAccountSelfUpdate(data: {password: "new-word"}) { ok } }';
    expect((await world.graphql(change, bearer(own.access_token))).body.data).toEqual({
      ServiceAccountSelfUpdate: {ok: true},
    });
    expect([await works(own.access_token), await works(other.access_token)]).toEqual([true, false]);
    expect([await refreshes(own.refresh_token), await refreshes(other.refresh_token)]).toEqual([true, false]);
  });

  test('by somebody else ends them all', async () => {
    const id = await world.idOf('CoreAccount', 'mover');
    const session = (await logIn('mover', 'new-word')).body;
    const change = `mutation { CoreAccountUpdate(data: {id: "${id}", password: {value: "given-word"}}) { ok } }`;
    expect((await world.graphql(change, ADMIN_KEY)).body.errors).toBe(undefined);
    expect([await works(session.access_token), await refreshes(session.refresh_token)]).toEqual([
      false,
      false,
    ]);
    const again = (await logIn('mover', 'given-word')).body;
    await world.graphql(
      `mutation { CoreAccountUpdate(data: {id: "${id}", description: {value: "x"}}) { ok } }`,
      ADMIN_KEY,
    );
    expect(await works(again.access_token)).toBe(true);
  });
});
