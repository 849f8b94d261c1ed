import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {createJsonLog} from '../../src/adapters/log/pino-log.ts';
import {engineEnvironment} from '../../src/adapters/test-store-harness.ts';
import {startService} from '../../src/main/compose.ts';
import {openStore} from '../../src/main/open-store.ts';
import {readSettings} from '../../src/main/settings/read.ts';

export const ADMIN_KEY = 'the-key-of-the-admin';

/** Everything a process would serve, in this one, with a data folder of its own; answered over real connections. */
export async function openService(env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-service-'));
  const {settings} = readSettings({
    SERVICE_PORT: '0',
    SERVICE_DATA_DIR: folder,
    SERVICE_INITIAL_ADMIN_TOKEN: ADMIN_KEY,
    ...(await engineEnvironment()),
    ...env,
  });
  const lines: Record<string, unknown>[] = [];
  const to = {write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)};
  const log = createJsonLog({level: 'INFO', clock: systemClock, to});
  const service = await startService(settings, log, openStore);
  const {address} = service;
  return {
    address,
    folder,
    lines,
    /** As the administrator. */
    ask: (path: string, init: RequestInit = {}) =>
      fetch(`${address}${path}`, {...init, headers: {'X-SERVICE-KEY': ADMIN_KEY, ...init.headers}}),
    async close() {
      await service.stop();
      rmSync(folder, {recursive: true, force: true});
    },
  };
}
