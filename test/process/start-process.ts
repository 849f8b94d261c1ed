import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';

export const ROOT = join(import.meta.dirname, '..', '..');

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

/** A real process. It is killed at the end of the test whatever happens. */
export class StartedProcess {
  stdout = '';
  stderr = '';
  readonly child: ChildProcess;
  readonly #ended: Promise<number | NodeJS.Signals>;

  constructor(command: string, args: readonly string[], options: {cwd?: string; env?: NodeJS.ProcessEnv}) {
    this.child = spawn(command, args, {...options, stdio: ['ignore', 'pipe', 'pipe']});
    this.child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      this.stdout += chunk;
    });
    this.child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk;
    });
    this.#ended = once(this.child, 'close').then(
      ([code, signal]) => (code ?? signal) as number | NodeJS.Signals,
    );
    onTestFinished(async () => {
      this.child.kill('SIGKILL');
      await this.#ended;
    });
  }

  /** The exit code, or the signal that ended it. */
  ended(): Promise<number | NodeJS.Signals> {
    return this.#ended;
  }

  /** Resolves once `pattern` was printed; fails when the process ends without it. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const look = () => pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
    for (;;) {
      const found = look();
      if (found !== null) return found;
      const more = Promise.race([once(this.child.stdout!, 'data'), once(this.child.stderr!, 'data')]);
      const ended = await Promise.race([more.then(() => false), this.#ended.then(() => true)]);
      if (ended && look() === null)
        throw new Error(`${pattern} was never printed:\n${this.stdout}\n${this.stderr}`);
    }
  }

  logLines(): Record<string, unknown>[] {
    return this.stdout
      .trimEnd()
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Record<string, unknown>);
  }
}

/** The server as a process, on a free port unless said. */
export function startServer(env: Record<string, string>, args: readonly string[] = []): StartedProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_'));
  return new StartedProcess(process.execPath, ['src/main/serve.ts', ...args], {
    cwd: ROOT,
    env: {...Object.fromEntries(inherited), SERVICE_PORT: '0', ...env},
  });
}

export async function addressOf(server: StartedProcess): Promise<string> {
  return (await server.printed(/ready at (http:\S+)/))[1]!;
}
