import {type ChildProcessByStdio, spawn} from 'node:child_process';
import type {Readable, Writable} from 'node:stream';
import {GitFailure} from '../../ports/git-host.ts';
import {failureOf} from './git-failure.ts';

export interface GitRun {
  /** Options first; values of users only after `--` or `--end-of-options`. */
  readonly args: readonly string[];
  /** What the run is about, for messages. */
  readonly where: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly millisMax: number;
  readonly input?: string;
}

type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>;

const ERROR_BYTES_MAX = 64 * 1024;
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Never asks anybody, runs no hook, follows no submodule and speaks no protocol but the four that a location can have.
 * Objects are never pruned: what was fetched once stays.
 */
const ALWAYS = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.symlinks=false',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
  '-c',
  'credential.helper=',
  '-c',
  'submodule.recurse=false',
  '--literal-pathspecs',
];

/** Everything that the run writes, once it has ended well. */
export async function runGit(run: GitRun): Promise<Buffer> {
  const parts: Buffer[] = [];
  let byteLength = 0;
  for await (const part of gitOutput(run)) {
    byteLength += part.byteLength;
    if (byteLength > OUTPUT_BYTES_MAX)
      throw new GitFailure('other', `Git writes too much about ${run.where}`);
    parts.push(part);
  }
  return Buffer.concat(parts, byteLength);
}

/** What the run writes, as it comes. A reader that stops early ends the run; one that failed throws at its end. */
export async function* gitOutput(run: GitRun): AsyncGenerator<Buffer, void, undefined> {
  const child = start(run);
  const ended = endOf(child);
  let said = '';
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end(child);
  }, run.millisMax);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < ERROR_BYTES_MAX) said += text;
  });
  child.stdin.on('error', () => undefined).end(run.input ?? '');
  try {
    for await (const part of child.stdout) yield part as Buffer;
    const exit = await ended;
    if (isLate)
      throw new GitFailure('timeout', `${run.where} did not answer within ${run.millisMax / 1000} s`);
    if (exit !== 0) throw failureOf(run.where, said);
  } finally {
    clearTimeout(timer);
    end(child);
  }
}

function start({args, environment}: GitRun): GitProcess {
  return spawn('git', [...ALWAYS, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that the helpers that Git starts end with it.
    detached: true,
    env: {...inherited(), ...environment},
  });
}

/** The environment of this process without what would point Git at another repository than the one it is told. */
function inherited(): NodeJS.ProcessEnv {
  const {GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...rest} = process.env;
  return rest;
}

function endOf(child: GitProcess): Promise<number> {
  const {promise, resolve, reject} = Promise.withResolvers<number>();
  child.once('close', code => resolve(code ?? 1));
  child.once('error', cause => {
    const message = 'Git cannot be started; install the program "git" on this machine';
    reject(new GitFailure('missing-git', message, {cause}));
  });
  promise.catch(() => undefined);
  return promise;
}

function end(child: GitProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
}
