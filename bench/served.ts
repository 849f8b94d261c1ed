import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import autocannon from 'autocannon';
import {paceSeconds} from './pace.ts';

const ROOT = join(import.meta.dirname, '..');

/** A server as a process of its own, at the address it prints. */
export class Served {
  readonly address: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.address = address;
  }

  /** `flags` are those of Node itself. */
  static async start(
    file: string,
    env: Readonly<Record<string, string>>,
    flags: readonly string[] = [],
  ): Promise<Served> {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_'));
    const child = spawn(process.execPath, [...flags, file], {
      cwd: ROOT,
      env: {...Object.fromEntries(inherited), ...env},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text = (text + chunk).slice(-100_000);
      });
    }
    for (;;) {
      const address = /ready at (http:\/\/[\w.:[\]]+)/.exec(text)?.[1];
      if (address !== undefined) return new Served(child, address);
      if (child.exitCode !== null) throw new Error(`${file} ended: ${text}`);
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), once(child, 'exit')]);
    }
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

export interface Asked {
  readonly url: string;
  /** The bodies that are sent, one after another and again. */
  readonly bodies: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds?: number;
  readonly warmUpSeconds?: number;
}

/** Asks over kept-alive connections, each waiting for its answer before it asks again. */
export async function load({
  url,
  bodies,
  headers,
  connections,
  seconds = paceSeconds(),
  warmUpSeconds = 1,
}: Asked): Promise<{readonly perSecond: number; readonly answered: number}> {
  const run = (period: number) =>
    autocannon({
      url,
      connections,
      duration: period,
      requests: bodies.map(body => ({
        method: 'POST' as const,
        headers: {'content-type': 'application/json', ...headers},
        body,
      })),
    });
  if (warmUpSeconds > 0) await run(warmUpSeconds);
  const {requests, non2xx, errors, duration} = await run(seconds);
  if (non2xx + errors > 0) throw new Error(`${non2xx} answers were refused, ${errors} failed: ${url}`);
  return {perSecond: requests.total / duration, answered: requests.total};
}
