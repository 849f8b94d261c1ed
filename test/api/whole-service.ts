import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll} from 'vitest';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {createJsonLog} from '../../src/adapters/log/pino-log.ts';
import {engineEnvironment} from '../../src/adapters/test-store-harness.ts';
import {startService} from '../../src/main/compose.ts';
import {openStore} from '../../src/main/open-store.ts';
import {readSettings} from '../../src/main/settings/read.ts';

const ADMIN_TOKEN = 'the-key-of-admin';

export const AS_ADMIN = {'x-service-key': ADMIN_TOKEN};

/** The service as it is put together for operators, in this process, listening. */
export async function openWholeService(env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-whole-'));
  const lines: Record<string, unknown>[] = [];
  const to = {write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)};
  const {settings} = readSettings({
    SERVICE_PORT: '0',
    SERVICE_DATA_DIR: folder,
    SERVICE_INITIAL_ADMIN_TOKEN: ADMIN_TOKEN,
    ...(await engineEnvironment()),
    ...env,
  });
  const log = createJsonLog({level: settings.logLevel, clock: systemClock, to});
  const service = await startService(settings, log, openStore);
  afterAll(async () => {
    await service.stop();
    rmSync(folder, {recursive: true, force: true});
  });
  return {
    service,
    folder,
    lines,
    address: service.address,
    async get(path: string, headers: Readonly<Record<string, string>> = AS_ADMIN) {
      const answer = await fetch(service.address + path, {headers});
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
      const body: any = isJson ? JSON.parse(text) : undefined;
      return {status: answer.status, headers: answer.headers, text, body};
    },
    async post(path: string, payload?: unknown, headers: Readonly<Record<string, string>> = AS_ADMIN) {
      const answer = await fetch(service.address + path, {
        method: 'POST',
        headers: {'content-type': 'application/json', ...headers},
        ...(payload === undefined ? {} : {body: JSON.stringify(payload)}),
      });
      const text = await answer.text();
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
      const body: any = text === '' ? undefined : JSON.parse(text);
      return {status: answer.status, headers: answer.headers, text, body};
    },
  };
}

export type WholeService = Awaited<ReturnType<typeof openWholeService>>;
