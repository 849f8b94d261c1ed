import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import type {PythonCommand} from './python-process.ts';

const run = promisify(execFile);

/** What programs of any system are read from. */
const SYSTEM = [
  '/usr',
  '/lib',
  '/lib64',
  '/bin',
  '/sbin',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/etc/alternatives',
];

/** The command in a world that has the system's programs and these folders, both only to read, and no network. */
export function wrapped({program, args}: PythonCommand, folders: readonly string[]): PythonCommand {
  const binds = [...SYSTEM, ...folders].flatMap(path => ['--ro-bind-try', path, path]);
  const world = ['--unshare-all', '--die-with-parent', '--new-session', '--dev', '/dev', '--proc', '/proc'];
  return {program: 'bwrap', args: [...world, '--tmpfs', '/tmp', ...binds, '--', program, ...args]};
}

/** Whether the system has bubblewrap and lets it work; containers often do not. */
export async function canWrap(command: PythonCommand, folders: readonly string[]): Promise<boolean> {
  const {program, args} = wrapped({program: command.program, args: ['-I', '-c', 'pass']}, folders);
  return run(program, [...args], {timeout: 10_000}).then(
    () => true,
    () => false,
  );
}
