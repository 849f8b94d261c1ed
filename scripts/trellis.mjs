#!/usr/bin/env node
// The command line: runs it on the pinned Node, in the folder it was called from.
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {BootstrapError, chooseNode, ensureInstalled} from './install.mjs';
import {run} from './run.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

try {
  await ensureInstalled(root);
  const args = [join(root, 'src', 'cli', 'trellis.ts'), ...process.argv.slice(2)];
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compile'),
  };
  process.exitCode = await run(chooseNode(root), args, {cwd: process.env.INIT_CWD ?? process.cwd(), env});
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  console.error(`trellis: ${error.message}`);
  process.exitCode = 1;
}
