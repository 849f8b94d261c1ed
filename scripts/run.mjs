import {spawn} from 'node:child_process';
import {constants} from 'node:os';

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']);

/**
 * Runs a command in our place: our terminal, our process group, our signals, its exit code.
 *
 * A signal to the whole group (Ctrl-C, a supervisor) reaches the command directly and again through us;
 * the server takes such a burst for one signal.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd: string, env?: NodeJS.ProcessEnv}} options
 * @returns {Promise<number>} the exit code, 128 + n for a child that ended by signal n
 */
export function run(command, args, {cwd, env = process.env}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {cwd, env, stdio: 'inherit'});
    /** @param {NodeJS.Signals} signal */
    const forward = signal => void child.kill(signal);
    const settle = () => {
      for (const signal of FORWARDED) process.off(signal, forward);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    child.once('error', error => {
      settle();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      settle();
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
    });
  });
}
