import {afterAll, afterEach, beforeAll, describe, expect, onTestFailed, test} from 'vitest';
import {type AccessWorld, openAccessWorld} from '../api/access-world.ts';
import {OPEN_MILLIS_MAX, type OpenedBrowser, openBrowser} from './open-browser.ts';

let world: AccessWorld;
let browser: OpenedBrowser;
let address: string;

beforeAll(async () => {
  world = await openAccessWorld();
  address = await world.server.listen({host: '127.0.0.1', port: 0});
  await world.make('BuiltinTag', {name: 'blue'});
  browser = await openBrowser();
}, OPEN_MILLIS_MAX);

afterEach(() => browser.context.clearCookies());

afterAll(() => browser?.close());

/** The page, with everything it complained of and everywhere it went. */
async function open(path: string) {
  const page = await browser.context.newPage();
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', error => void complaints.push(String(error)));
  page.on('request', request => {
    const {protocol, origin} = new URL(request.url());
    if (protocol !== 'data:') hosts.add(origin);
  });
  onTestFailed(async () => {
    console.error(complaints);
  });
  await page.goto(address + path);
  const result = page.locator('.result-window');
  return {
    page,
    complaints,
    hosts,
    async run(until: string): Promise<string | null> {
      await page.getByRole('button', {name: /execute query/i}).click();
      await result.getByText(until).first().waitFor();
      return result.textContent();
    },
  };
}

describe('GraphiQL in a browser', () => {
  test('runs its example for somebody who is logged in, with nothing from elsewhere', async () => {
    const {access_token} = (await world.logIn()).body as {access_token: string};
    await browser.context.addCookies([{name: 'access_token', value: access_token, url: address}]);
    const {complaints, hosts, run} = await open('/graphql');
    const shown = await run('blue');
    expect(shown).toContain('"version": "0.0.0-test"');
    expect(shown).not.toContain('errors');
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([address]);
  });

  test('knows the schema, and offers its fields', async () => {
    const {access_token} = (await world.logIn()).body as {access_token: string};
    await browser.context.addCookies([{name: 'access_token', value: access_token, url: address}]);
    const {page} = await open('/graphql/main');
    await page.getByRole('button', {name: /documentation explorer/i}).click();
    await page.getByRole('link', {name: 'Query', exact: true}).click();
    await page.getByRole('link', {name: 'CoreAccountGroup', exact: true}).waitFor();
  });

  test('reads for somebody who is nobody, where the service lets them', async () => {
    const {run} = await open('/graphql/main');
    expect(await run('blue')).not.toContain('errors');
  });

  test('shows what a subscription tells, as it happens', async () => {
    const {access_token} = (await world.logIn()).body as {access_token: string};
    await browser.context.addCookies([{name: 'access_token', value: access_token, url: address}]);
    const query = 'subscription Follow { event(since: "-1h", kinds: ["BuiltinTag"]) { event_type node_id } }';
    const {page, complaints, run} = await open('/graphql/main');
    await page.locator('.graphiql-query-editor .CodeMirror').evaluate((editor, text) => {
      (editor as unknown as {CodeMirror: {setValue(text: string): void}}).CodeMirror.setValue(text);
    }, query);
    await page.waitForFunction(() => {
      const {localStorage} = globalThis as unknown as {localStorage: {getItem(key: string): string | null}};
      return localStorage.getItem('graphiql:operationName') === 'Follow';
    });
    await run('service.node.created');
    const green = await world.make('BuiltinTag', {name: 'green'});
    await page.locator('.result-window').getByText(green).first().waitFor();
    await page.getByRole('button', {name: /stop query/i}).click();
    await page.getByRole('button', {name: /execute query/i}).waitFor();
    expect(complaints).toEqual([]);
  });
});
