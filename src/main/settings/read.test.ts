import {describe, expect, test} from 'vitest';
import {refuseDefaultPassword} from './first-start.ts';
import {readSettings, SettingsRefused} from './read.ts';
import {SETTINGS} from './table.ts';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsRefused) return error.problems;
    throw error;
  }
}

describe('settings', () => {
  test('an empty environment gives every default', () => {
    const {settings, warnings} = readSettings({PATH: '/bin'});
    expect(warnings).toEqual([]);
    expect(settings).toMatchObject({
      host: '127.0.0.1',
      port: 8000,
      dataFolder: './data',
      databaseUrl: undefined,
      databaseConnections: 8,
      publicUrl: undefined,
      initialAdminPassword: 'service',
      initialDefaultBranch: 'main',
      securitySecretKey: undefined,
      accessTokenLifetimeSeconds: 3600,
      refreshTokenLifetimeSeconds: 2_592_000,
      oauth2Providers: [],
      allowAnonymousAccess: true,
      bodyBytesMax: 10_485_760,
      pageSizeMax: 10_000,
      storageFileBytesMax: 52_428_800,
      logLevel: 'INFO',
      printQueryDetails: false,
    });
  });

  test('every wrong value is named at once, with the value and what is allowed', () => {
    const problems = problemsOf({
      SERVICE_PORT: 'eighty',
      SERVICE_LOG_LEVEL: 'LOUD',
      SERVICE_SECURITY_ACCESS_TOKEN_LIFETIME: '0',
      SERVICE_ALLOW_ANONYMOUS_ACCESS: 'maybe',
    });
    expect(problems).toEqual([
      'SERVICE_PORT is "eighty"; allowed: a whole number from 0 to 65535',
      'SERVICE_SECURITY_ACCESS_TOKEN_LIFETIME is "0"; allowed: a whole number from 1 to 315360000',
      'SERVICE_ALLOW_ANONYMOUS_ACCESS is "maybe"; allowed: true or false (also 1/0, yes/no, on/off)',
      'SERVICE_LOG_LEVEL is "LOUD"; allowed: one of DEBUG, INFO, WARNING, ERROR, CRITICAL',
    ]);
  });

  test.each([
    ['SERVICE_HOST', ['bad host', '256.1.1.1', '1.2.3', 'a..b', '-x', 'http://x']],
    ['SERVICE_PORT', ['-1', '65536', '80.5', '0x50', '1e3', ' 80', '99999999999999999999']],
    ['SERVICE_PUBLIC_URL', ['example.com', 'ftp://x', 'https://u:p@x', 'https://x/?q=1', 'https://x/#f']],
    ['SERVICE_INITIAL_DEFAULT_BRANCH', ['a b', '../x', 'x~1', '/lead']],
    ['SERVICE_API_MAX_BODY_SIZE', ['0', '10MB', '99999999999']],
    ['SERVICE_API_CORS_ALLOW_ORIGINS', ['*', 'https://a.example/path', 'https://a.example,,']],
    ['SERVICE_MISC_PRINT_QUERY_DETAILS', ['2', 'ja']],
    ['SERVICE_SECURITY_OIDC_PROVIDERS', ['{', '{}', '[{"name":"x"}]', '[1]', 'null']],
  ])('%s refuses values it cannot use', (variable, values) => {
    for (const value of values) {
      const problems = problemsOf({[variable]: value});
      expect(problems, value).toHaveLength(1);
      expect(problems[0]).toContain(variable);
    }
  });

  test.each([
    ['SERVICE_HOST', '::1', 'host', '::1'],
    ['SERVICE_HOST', 'db-1.example.com', 'host', 'db-1.example.com'],
    ['SERVICE_PUBLIC_URL', 'https://graph.example.com/base/', 'publicUrl', 'https://graph.example.com/base'],
    ['SERVICE_LOG_LEVEL', 'debug', 'logLevel', 'DEBUG'],
    ['SERVICE_MISC_PRINT_QUERY_DETAILS', 'Yes', 'printQueryDetails', true],
    [
      'SERVICE_API_CORS_ALLOW_ORIGINS',
      'https://a.example, http://b:1',
      'corsOrigins',
      ['https://a.example', 'http://b:1'],
    ],
  ] as const)('%s=%s is read as %s', (variable, value, name, expected) => {
    expect(readSettings({[variable]: value}).settings[name]).toEqual(expected);
  });

  test('an empty variable counts as unset', () => {
    expect(readSettings({SERVICE_PORT: '', SERVICE_PUBLIC_URL: ''}).settings).toMatchObject({
      port: 8000,
      publicUrl: undefined,
    });
  });

  test('a refused secret is not repeated', () => {
    const [problem] = problemsOf({SERVICE_SECURITY_SECRET_KEY: 'short-and-known'});
    expect(problem).toBe('SERVICE_SECURITY_SECRET_KEY is (value not shown); allowed: 16 to 1024 characters');
    const [database] = problemsOf({SERVICE_DATABASE_URL: 'mysql://me:hunter2@db/trellis'});
    expect(database).toContain('PostgreSQL is the only database server that is known');
    expect(database).not.toContain('hunter2');
  });

  test('a provider list is read when each provider is whole, and the missing part is named when not', () => {
    const provider = {
      name: 'corp',
      client_id: 'id',
      client_secret: 's',
      discovery_url: 'https://id.example/.well-known',
    };
    const read = readSettings({SERVICE_SECURITY_OIDC_PROVIDERS: JSON.stringify([provider])});
    expect(read.settings.oidcProviders).toEqual([provider]);
    const [problem] = problemsOf({
      SERVICE_SECURITY_OIDC_PROVIDERS: JSON.stringify([provider, {...provider, name: 7}]),
    });
    expect(problem).toContain('item 1.name');
  });

  test('a variable that is no setting is a warning that names the nearest setting', () => {
    const {warnings} = readSettings({
      SERVICE_PROT: '1',
      SERVICE_LOGLEVEL: 'x',
      SERVICE_ZZZ_UNLIKE_ANYTHING: 'x',
      OTHER: 'x',
    });
    expect(warnings).toEqual([
      'SERVICE_LOGLEVEL is not a setting and has no effect; did you mean SERVICE_LOG_LEVEL?',
      'SERVICE_PROT is not a setting and has no effect; did you mean SERVICE_PORT?',
      'SERVICE_ZZZ_UNLIKE_ANYTHING is not a setting and has no effect',
    ]);
  });

  test.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['graph.example.com', false],
  ])('anonymous access on host %s defaults to %s', (host, expected) => {
    expect(readSettings({SERVICE_HOST: host}).settings.allowAnonymousAccess).toBe(expected);
  });

  test('no two rows share a variable', () => {
    const variables = Object.values(SETTINGS).map(row => row.variable);
    expect(new Set(variables).size).toBe(variables.length);
  });
});

describe('the first start', () => {
  const given = (env: Record<string, string>) => readSettings(env).settings;

  test('on a host that others reach, the default admin password is refused while the database is empty', () => {
    const open = given({SERVICE_HOST: '0.0.0.0'});
    expect(() => refuseDefaultPassword(open, true)).toThrow(/set SERVICE_INITIAL_ADMIN_PASSWORD/);
    expect(() => refuseDefaultPassword(open, false)).not.toThrow();
  });

  test('a password of your own, or a loopback host, starts', () => {
    const own = given({SERVICE_HOST: '0.0.0.0', SERVICE_INITIAL_ADMIN_PASSWORD: 'correct horse'});
    expect(() => refuseDefaultPassword(own, true)).not.toThrow();
    expect(() => refuseDefaultPassword(given({}), true)).not.toThrow();
  });
});
