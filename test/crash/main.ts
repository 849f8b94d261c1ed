import {spawnSync} from 'node:child_process';
import {realpathSync} from 'node:fs';
import {parseArgs} from 'node:util';

// Kills services and writers in the middle of what they do, as often as wanted: npm run crash -- --rounds 500

const {values} = parseArgs({
  options: {rounds: {type: 'string', default: '200'}, seed: {type: 'string'}},
});
const vitest = realpathSync(new URL('../../node_modules/.bin/vitest', import.meta.url));
const {status} = spawnSync(process.execPath, [vitest, 'run', 'test/crash', '--maxWorkers=1'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    CRASH_ROUNDS: values.rounds,
    ...(values.seed === undefined ? {} : {CRASH_SEED: values.seed}),
  },
});
process.exitCode = status ?? 1;
