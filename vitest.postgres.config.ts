import {defineConfig} from 'vitest/config';

/** The tests that need a PostgreSQL, which they start themselves. */
export default defineConfig({
  test: {
    include: ['src/**/*.pg.test.ts', 'test/**/*.pg.test.ts'],
    globalSetup: 'test/postgres/global-setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
