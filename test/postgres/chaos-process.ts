import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import process from 'node:process';
import {COMPILED} from '../crash/compiled.ts';
import {ROOT} from '../process/start-process.ts';

const OUTPUT_CHARACTERS_MAX = 20_000;

/** A server or a worker as a process of its own, killed and started again and again. */
export class ChaosProcess {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #output = '';
  #address: string | undefined;

  constructor(environment: Readonly<Record<string, string>>, args: readonly string[] = []) {
    this.#environment = environment;
    this.#args = args;
  }

  /** Where it was last ready; nobody is there when it has been killed since. */
  get address(): string | undefined {
    return this.#address;
  }

  get output(): string {
    return this.#output;
  }

  /** Until it is ready; false when it ends before, as it does when its database is away. */
  async start(): Promise<boolean> {
    const inherited = Object.entries(COMPILED).filter(([name]) => !name.startsWith('SERVICE_'));
    const child = spawn(process.execPath, ['src/main/serve.ts', ...this.#args], {
      cwd: ROOT,
      env: {...Object.fromEntries(inherited), ...this.#environment},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#output = '';
    const ready = new Promise<boolean>(resolve => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          this.#output = (this.#output + chunk).slice(-OUTPUT_CHARACTERS_MAX);
          const address = /ready at (http:\/\/[\w.:[\]]+)/.exec(this.#output)?.[1];
          if (address === undefined) return;
          this.#address = address;
          resolve(true);
        });
      }
      child.once('exit', () => resolve(false));
    });
    return ready;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
