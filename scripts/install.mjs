// Runs on the machine's own Node (20 or newer), before anything is installed: only `node:` imports here.
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {delimiter, join, sep} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';

const LOCK_POLL_MILLIS = 100;
const LOCK_WAIT_MILLIS = 10 * 60_000;
const OWN_NODE_MAJOR_MIN = 24;

/** A failure that is told to the person in one sentence. */
export class BootstrapError extends Error {}

/** @param {string} root */
export const pinnedNode = root => join(root, 'node_modules', 'node', 'bin', 'node');

/** @param {string} root */
const stampFile = root => join(root, 'node_modules', '.trellis-installed');

/** @param {string} root */
const lockFile = root => join(root, 'node_modules', '.trellis-install.lock');

/**
 * What an installation was made from. A different lock file, or another machine's
 * node_modules, gives a different text.
 * @param {string} root
 */
function wantedStamp(root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} root */
export function installNeeded(root) {
  return readIfThere(stampFile(root)) !== wantedStamp(root);
}

/**
 * Installs what is missing; costs one hash when nothing is.
 * @param {string} root
 */
export async function ensureInstalled(root) {
  if (!installNeeded(root)) return;
  mkdirSync(join(root, 'node_modules'), {recursive: true});
  const release = await takeLock(lockFile(root));
  try {
    if (!installNeeded(root)) return;
    const stamp = wantedStamp(root);
    process.stderr.write('Installing what is missing (once, about a minute) ...\n');
    npmInstall(root);
    writeFileSync(stampFile(root), stamp);
  } finally {
    release();
  }
}

/**
 * `npm install` and not `npm ci`: a registry that lacks some other platform's optional package
 * makes `npm ci` refuse the lock file. `--no-save` leaves the lock file as it was cloned.
 * @param {string} root
 */
function npmInstall(root) {
  const [command, ...first] = npmCommand();
  const args = [
    ...first,
    'install',
    '--no-save',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const result = spawnSync(command, args, {cwd: root, stdio: ['ignore', 2, 2], env: installEnv(root)});
  if (result.error) {
    throw new BootstrapError(`npm could not be started (${result.error.message}); is npm on the PATH?`);
  }
  if (result.status !== 0) {
    throw new BootstrapError('npm install failed (see above); fix the cause and run the same command again.');
  }
}

/** @returns {[string, ...string[]]} */
function npmCommand() {
  const {TRELLIS_NPM, npm_execpath: npm, npm_node_execpath: node} = process.env;
  if (TRELLIS_NPM) return [TRELLIS_NPM];
  return npm && node && existsSync(node) ? [node, npm] : ['npm'];
}

/**
 * Without node_modules/.bin on the PATH: install scripts must not run on the very Node that is being replaced.
 * @param {string} root
 */
function installEnv(root) {
  const own = join(root, 'node_modules') + sep;
  const path = (process.env.PATH ?? '').split(delimiter).filter(folder => !folder.startsWith(own));
  return {...process.env, PATH: path.join(delimiter)};
}

/**
 * One installer at a time. The file holds the owner's process id, so a lock left by a killed
 * process is recognised and taken over.
 * @param {string} file
 */
async function takeLock(file) {
  const deadline = Date.now() + LOCK_WAIT_MILLIS;
  for (let told = false; ; told = true) {
    try {
      writeFileSync(file, String(process.pid), {flag: 'wx'});
      return () => rmSync(file, {force: true});
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    if (ownerIsGone(file)) {
      discardStaleLock(file);
      continue;
    }
    if (Date.now() > deadline) {
      throw new BootstrapError(`another installation holds ${file}; delete that file if none is running.`);
    }
    if (!told) process.stderr.write('Waiting for another installation to finish ...\n');
    await delay(LOCK_POLL_MILLIS);
  }
}

/** @param {string} file */
function ownerIsGone(file) {
  const text = readIfThere(file);
  if (text === undefined) return false;
  const pid = Number(text);
  // Its owner may not have written its id yet; a file that stays empty was left by a crash.
  if (!Number.isInteger(pid) || pid <= 0) return Date.now() - statSync(file).mtimeMs > 5_000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/**
 * Moves the lock aside before deleting it: between our look and our move another waiter may have
 * taken over, and its live lock is then put back.
 * @param {string} file
 */
function discardStaleLock(file) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (!ownerIsGone(aside)) linkSync(aside, file);
  } catch {
    // Another waiter was faster; the next attempt finds out who.
  }
  rmSync(aside, {force: true});
}

/**
 * The Node that everything of ours runs on.
 * @param {string} root
 */
export function chooseNode(root) {
  const pinned = pinnedNode(root);
  if (existsSync(pinned)) return pinned;
  const major = Number(process.versions.node.split('.')[0]);
  if (major < OWN_NODE_MAJOR_MIN) {
    throw new BootstrapError(
      `the pinned Node is missing at ${pinned} and this Node ${process.version} is too old to stand in; ` +
        'delete node_modules and run the same command again (install scripts must be allowed).',
    );
  }
  process.stderr.write(`The pinned Node is missing at ${pinned}; running on this Node ${process.version}.\n`);
  return process.execPath;
}
