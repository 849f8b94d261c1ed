import {execFile} from 'node:child_process';
import {createHash, randomUUID} from 'node:crypto';
import {readFile, rename, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {TransformFailure} from '../../ports/transform-runner.ts';

export interface PythonEnvironmentOptions {
  /** A command or a path. */
  readonly python: string;
  /** Where environments are kept, one for each Python and list of packages. */
  readonly folder: string;
}

export interface PythonEnvironment {
  readonly program: string;
  /** Folders that the program itself is read from. */
  readonly homes: readonly string[];
}

const run = promisify(execFile);
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const INSTALL_MILLIS_MAX = 600_000;
const ASK =
  'import sys, json; print(json.dumps([list(sys.version_info[:3]), sys.base_prefix, sys.executable]))';
const OLDEST: readonly [number, number] = [3, 9];

/**
 * A virtual environment with exactly the packages that we need, made once and then found again. It appears whole, by a
 * rename, so that many processes may ask for it at once.
 */
export async function pythonEnvironment(options: PythonEnvironmentOptions): Promise<PythonEnvironment> {
  const {version, home, executable} = await askPython(options.python);
  const requirements = await readFile(REQUIREMENTS, 'utf8');
  const name = createHash('sha256')
    .update(`${executable} ${version.join('.')} ${requirements}`)
    .digest('hex');
  const place = join(options.folder, name.slice(0, 16));
  const environmentAt = (at: string) => ({program: join(at, 'bin', 'python'), homes: [at, home]});
  if (await exists(environmentAt(place).program)) return environmentAt(place);
  try {
    await makeEnvironment(options.python, place);
    return environmentAt(place);
  } catch (error) {
    const borrowed = `${place}-system`;
    if (error instanceof TransformFailure && (await borrowEnvironment(options.python, borrowed))) {
      return environmentAt(borrowed);
    }
    throw error;
  }
}

/**
 * Where no package index can be reached, the Jinja2 that this Python has itself will do; filters of packages that it
 * lacks are not there. False when it has none.
 */
async function borrowEnvironment(python: string, place: string): Promise<boolean> {
  const draft = `${place}.${randomUUID()}`;
  try {
    if (await exists(join(place, 'bin', 'python'))) return true;
    await run(python, ['-m', 'venv', '--system-site-packages', '--without-pip', draft]);
    await run(join(draft, 'bin', 'python'), ['-I', '-c', 'import jinja2']);
    await rename(draft, place).catch(async (error: unknown) => {
      if (!(await exists(join(place, 'bin', 'python')))) throw error;
    });
    return true;
  } catch {
    return false;
  } finally {
    await rm(draft, {recursive: true, force: true});
  }
}

interface FoundPython {
  readonly version: readonly [number, number, number];
  readonly home: string;
  readonly executable: string;
}

async function askPython(python: string): Promise<FoundPython> {
  const advice = 'install Python 3.9 or later, or point SERVICE_PYTHON at it';
  let answer: string;
  try {
    answer = (await run(python, ['-I', '-c', ASK])).stdout;
  } catch (cause) {
    throw new TransformFailure('no-python', `Python is needed and "${python}" cannot be run; ${advice}`, {
      cause,
    });
  }
  const [version, home, executable] = JSON.parse(answer) as [FoundPython['version'], string, string];
  if (version[0] < OLDEST[0] || (version[0] === OLDEST[0] && version[1] < OLDEST[1])) {
    throw new TransformFailure('no-python', `"${python}" is Python ${version.join('.')}; ${advice}`);
  }
  return {version, home, executable};
}

async function makeEnvironment(python: string, place: string): Promise<void> {
  const draft = `${place}.${randomUUID()}`;
  const options = {timeout: INSTALL_MILLIS_MAX, maxBuffer: 16 * 1024 * 1024};
  try {
    await run(python, ['-m', 'venv', draft], options).catch((cause: unknown) => {
      throw notMade('its modules venv and ensurepip are needed (python3-venv on Debian)', cause);
    });
    const install = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--no-input',
      '--retries=2',
    ];
    await run(join(draft, 'bin', 'python'), [...install, '-r', REQUIREMENTS], options).catch(
      (cause: unknown) => {
        throw notMade('pip could not install the packages that templates need', cause);
      },
    );
    await rename(draft, place).catch(async (error: unknown) => {
      // Somebody else made the same one meanwhile.
      if (!(await exists(join(place, 'bin', 'python')))) throw error;
    });
  } finally {
    await rm(draft, {recursive: true, force: true});
  }
}

function notMade(why: string, cause: unknown): TransformFailure {
  const said = (cause as {readonly stderr?: string}).stderr?.trim().split('\n').slice(-3).join(' ') ?? '';
  return new TransformFailure(
    'no-python',
    `The Python environment cannot be made: ${why} (${said.slice(0, 500)})`,
    {
      cause,
    },
  );
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
