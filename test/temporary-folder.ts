import {chmodSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {afterAll} from 'vitest';

/**
 * Each file of tests has a temporary folder of its own, for everything that asks the system for one: worlds, repositories,
 * child processes. It goes when the file is over, whatever its tests have left open.
 */
const folder = mkdtempSync(join(tmpdir(), 'trellis-tests-'));
// Database servers run as somebody else, who must find their folder inside.
chmodSync(folder, 0o711);
process.env.TMPDIR = folder;
afterAll(() => rmSync(folder, {recursive: true, force: true, maxRetries: 3}));
