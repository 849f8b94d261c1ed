import process from 'node:process';
import {defineConfig} from 'vitest/config';

const OWN = ['src/**/*.pg.test.ts', 'test/**/*.pg.test.ts'];

/** Of the tests that are for any engine, those that every run takes along. */
const SOME = ['src/app/branch/merge-branch.test.ts', 'test/api/branches.test.ts'];

/** All of them, with `POSTGRES_TESTS=all`; tests that look into the embedded engine are for that one alone. */
const ALL = ['src/app/**/*.test.ts', 'test/api/**/*.test.ts'];
const EMBEDDED_ONLY = [
  'src/app/branch/stepped-merges.test.ts',
  'src/app/event/event-feed.test.ts',
  'src/app/task/task-worker.test.ts',
  'test/api/failing-disk.test.ts',
  'test/api/graphql-statements.test.ts',
  'test/api/graphql-transport.test.ts',
];

/** The tests that need a PostgreSQL, which they start themselves. */
export default defineConfig({
  test: {
    include: [...OWN, ...(process.env.POSTGRES_TESTS === 'all' ? ALL : SOME)],
    exclude: ['**/node_modules/**', ...EMBEDDED_ONLY],
    env: {TEST_ENGINE: 'postgres'},
    globalSetup: 'test/postgres/global-setup.ts',
    setupFiles: 'test/temporary-folder.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
