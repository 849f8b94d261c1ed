import {join} from 'node:path';
import {ROOT} from '../process/start-process.ts';

/** Processes that are started again and again need not compile the same files each time. */
export const COMPILED: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compile'),
};
