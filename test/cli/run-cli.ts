import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';

/** As `scripts/trellis.mjs` sets it. */
const NODE_COMPILE_CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compile');
const SCRIPT = join(import.meta.dirname, '..', '..', 'src', 'cli', 'trellis.ts');

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What it printed with --json. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape.
  json(): any;
}

interface Options {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The command line as a process of its own. */
export async function runCli(
  args: readonly string[],
  {cwd, input = '', env = {}}: Options = {},
): Promise<CliRun> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TRELLIS_'));
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    ...(cwd === undefined ? {} : {cwd}),
    env: {...Object.fromEntries(inherited), NODE_COMPILE_CACHE, ...env},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number>(resolve => {
      child.once('close', status => resolve(status ?? -1));
    }),
  ]);
  return {code, stdout, stderr, json: () => JSON.parse(stdout)};
}
