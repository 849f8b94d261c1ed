// The door of every npm script: installs what is missing, then runs the command on the pinned Node.
import {realpathSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {BootstrapError, chooseNode, ensureInstalled} from './install.mjs';
import {run} from './run.mjs';

const root = process.env.TRELLIS_ROOT ?? dirname(dirname(fileURLToPath(import.meta.url)));

/** @typedef {{name: string, args: () => string[]}} Step */

/** @type {(name: string, ...args: string[]) => Step} */
const tool = (name, ...args) => ({
  name,
  args: () => [realpathSync(join(root, 'node_modules', '.bin', name)), ...args],
});

/** @type {(file: string, ...args: string[]) => Step} */
const program = (file, ...args) => ({name: file, args: () => [file, ...args]});

const CHECK = [
  tool('tsc', '--noEmit'),
  tool('biome', 'check'),
  tool('oxlint', '--type-aware', '--deny-warnings'),
];

/** @type {Readonly<Record<string, (rest: string[]) => Step[]>>} */
const COMMANDS = {
  start: rest => [program('src/main/serve.ts', ...rest)],
  worker: rest => [program('src/main/serve.ts', '--worker', ...rest)],
  // The whole run ends with the tests that start a PostgreSQL of their own.
  test: rest => [
    ...CHECK,
    tool('vitest', 'run', ...rest),
    ...(rest.length === 0 ? [tool('vitest', 'run', '-c', 'vitest.postgres.config.ts')] : []),
  ],
  check: () => CHECK,
  bench: rest => [program('bench/main.ts', ...rest)],
  docs: () => [program('src/main/write-docs.ts')],
  crash: rest => [program('test/crash/main.ts', ...rest)],
};

/** @param {readonly string[]} argv */
async function main([command = '', ...rest]) {
  const steps = Object.hasOwn(COMMANDS, command) ? COMMANDS[command]?.(rest) : undefined;
  if (steps === undefined) {
    throw new BootstrapError(`unknown command "${command}"; there are: ${Object.keys(COMMANDS).join(', ')}`);
  }
  await ensureInstalled(root);
  const node = chooseNode(root);
  const env = {
    ...process.env,
    PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
    // Halves the time to start. Entries are keyed by content and Node version, so none is ever stale.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compile'),
  };
  const several = steps.length > 1;
  const started = Date.now();
  for (const step of steps) {
    if (several) console.log(`\n> ${step.name}`);
    const code = await run(node, step.args(), {cwd: root, env});
    if (code === 0) continue;
    if (several) console.log(`\nnpm ${command}: FAILED in ${step.name} (exit code ${code})`);
    return code;
  }
  if (several) {
    const names = steps.map(step => step.name).join(', ');
    console.log(`\nnpm ${command}: passed (${names}) in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  console.error(`trellis: ${error.message}`);
  process.exitCode = 1;
}
