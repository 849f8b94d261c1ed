import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type BrowserContext, chromium} from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Enough to install the browser as well. */
export const OPEN_MILLIS_MAX = 15 * 60_000;

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface OpenedBrowser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** The distribution's Chromium with an empty profile. */
export async function openBrowser(): Promise<OpenedBrowser> {
  requireChromium();
  const profile = mkdtempSync(join(tmpdir(), 'trellis-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: FLAGS,
    viewport: {width: 1400, height: 900},
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, {recursive: true, force: true});
    },
  };
}

function requireChromium(): void {
  if (existsSync(CHROMIUM)) return;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    apt('update');
    apt('install', '-y', '--no-install-recommends', 'chromium');
  }
  if (!existsSync(CHROMIUM)) {
    throw new Error(`The tests in a browser need ${CHROMIUM}: run "apt-get install -y chromium" as root.`);
  }
}

function apt(...args: readonly string[]): void {
  const env = {...process.env, DEBIAN_FRONTEND: 'noninteractive'};
  spawnSync('apt-get', args, {env, stdio: 'ignore'});
}
