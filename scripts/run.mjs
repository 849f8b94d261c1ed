import {spawn} from 'node:child_process';
import {constants} from 'node:os';

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']);
const SAME_SIGNAL_MILLIS = 500;

/**
 * Runs a command in our place: our terminal, our signals, its exit code.
 *
 * One Ctrl-C reaches us twice, from the terminal and from npm. The child stands in its own process
 * group and is told once: for the server a second signal means "stop at once".
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd: string, env?: NodeJS.ProcessEnv}} options
 * @returns {Promise<number>} the exit code, 128 + n for a child that ended by signal n
 */
export function run(command, args, {cwd, env = process.env}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {cwd, env, stdio: 'inherit', detached: true});
    /** @type {Map<NodeJS.Signals, number>} */
    const lastSent = new Map();
    /** @param {NodeJS.Signals} signal */
    const forward = signal => {
      const now = Date.now();
      if (now - (lastSent.get(signal) ?? 0) < SAME_SIGNAL_MILLIS) return;
      lastSent.set(signal, now);
      child.kill(signal);
    };
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
