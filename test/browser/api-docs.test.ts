import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {openWholeService, type WholeService} from '../api/whole-service.ts';
import {OPEN_MILLIS_MAX, type OpenedBrowser, openBrowser} from './open-browser.ts';

let service: WholeService;
let browser: OpenedBrowser;

beforeAll(async () => {
  service = await openWholeService();
  browser = await openBrowser();
}, OPEN_MILLIS_MAX);

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
    if (protocol !== 'data:' && protocol !== 'blob:') hosts.add(origin);
  });
  await page.goto(service.address + path);
  return {page, complaints, hosts};
}

describe('the API documentation in a browser', () => {
  test('Swagger UI shows the endpoints and tries one out, with nothing from elsewhere', async () => {
    const {page, complaints, hosts} = await open('/api/docs');
    const info = page.locator('#operations-info-get_info');
    await info.getByRole('button').first().click();
    await info.getByRole('button', {name: 'Try it out'}).click();
    await info.getByRole('button', {name: 'Execute'}).click();
    await info.locator('.live-responses-table').getByText('deployment_id').first().waitFor();
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([service.address]);
  });

  test('ReDoc shows the endpoints and finds one, with nothing from elsewhere', async () => {
    const {page, complaints, hosts} = await open('/api/redoc');
    await page.getByRole('heading', {name: 'Load schema documents into a branch'}).waitFor();
    await page.getByRole('textbox', {name: /search/i}).fill('password');
    await page
      .getByRole('menuitem', {name: /Open a session/})
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([service.address]);
  });
});
