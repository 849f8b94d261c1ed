import {spawnSync} from 'node:child_process';
import {realpathSync} from 'node:fs';
import {parseArgs} from 'node:util';

// Kills services and writers in the middle of what they do, as often as wanted: npm run crash -- --rounds 500
// Or servers, workers and their PostgreSQL, for as long as wanted: npm run crash -- --postgres-minutes 5

const {values} = parseArgs({
  options: {
    rounds: {type: 'string', default: '200'},
    'postgres-minutes': {type: 'string'},
    seed: {type: 'string'},
  },
});
const {rounds, seed, 'postgres-minutes': minutes} = values;
const onPostgres = ['-c', 'vitest.postgres.config.ts', 'test/postgres/service-chaos.pg.test.ts'];
const tests = minutes === undefined ? ['test/crash', '--maxWorkers=1'] : onPostgres;
const vitest = realpathSync(new URL('../../node_modules/.bin/vitest', import.meta.url));
const {status} = spawnSync(process.execPath, [vitest, 'run', ...tests], {
  stdio: 'inherit',
  env: {
    ...process.env,
    CRASH_ROUNDS: rounds,
    ...(minutes === undefined ? {} : {CHAOS_MINUTES: minutes}),
    ...(seed === undefined ? {} : {CRASH_SEED: seed, CHAOS_SEED: seed}),
  },
});
process.exitCode = status ?? 1;
