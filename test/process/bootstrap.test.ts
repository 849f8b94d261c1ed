import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {ROOT, StartedProcess, tempFolder} from './start-process.ts';

/** A stand-in for npm: it notes that it was called and puts a "pinned Node" in place. */
const NPM = `#!/bin/sh
echo "$@" >> npm-calls.txt
[ -f npm-fails ] && { echo "registry is down" >&2; exit 1; }
[ -f npm-waits ] && while [ -f npm-waits ]; do sleep 0.02; done
mkdir -p node_modules/node/bin
[ -f npm-forgets-node ] || ln -sf "$REAL_NODE" node_modules/node/bin/node
`;

/** Prints what it got, then ends as it is told. */
const PROGRAM = `
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => { console.log('got', signal); setTimeout(() => process.exit(7), 50); });
}
console.log('started on', process.execPath, 'with', JSON.stringify(process.argv.slice(2)));
if (process.argv[2] === 'wait') setTimeout(() => {}, 30_000);
else process.exitCode = Number(process.argv[2] ?? 0);
`;

function project() {
  const root = tempFolder();
  cpSync(join(ROOT, 'scripts'), join(root, 'scripts'), {recursive: true});
  mkdirSync(join(root, 'src', 'main'), {recursive: true});
  writeFileSync(join(root, 'src', 'main', 'serve.ts'), PROGRAM);
  const {scripts} = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {scripts: object};
  writeFileSync(join(root, 'package.json'), JSON.stringify({type: 'module', scripts}));
  writeFileSync(join(root, 'package-lock.json'), '{"lock": 1}');
  writeFileSync(join(root, 'npm.sh'), NPM);
  chmodSync(join(root, 'npm.sh'), 0o755);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    TRELLIS_NPM: join(root, 'npm.sh'),
    REAL_NODE: process.execPath,
  };
  const file = (name: string) => join(root, name);
  return {
    file,
    env,
    npm: (...args: string[]) => new StartedProcess('npm', args, {cwd: root, env}),
    run: (...args: string[]) =>
      new StartedProcess(process.execPath, [file('scripts/bootstrap.mjs'), ...args], {env}),
    npmCalls: () =>
      (existsSync(file('npm-calls.txt')) ? readFileSync(file('npm-calls.txt'), 'utf8').split('\n') : [''])
        .length - 1,
  };
}

describe('the bootstrap', () => {
  test('installs when nothing is installed, and not again', async () => {
    const {run, npmCalls, file} = project();
    expect(await run('start').ended()).toBe(0);
    expect(npmCalls()).toBe(1);
    expect(readFileSync(file('npm-calls.txt'), 'utf8')).toContain('install --no-save');
    const second = run('start');
    expect(await second.ended()).toBe(0);
    expect(npmCalls()).toBe(1);
    expect(second.stderr).toBe('');
  });

  test('installs again when the lock file changed or node_modules is gone', async () => {
    const {run, npmCalls, file} = project();
    await run('start').ended();
    writeFileSync(file('package-lock.json'), '{"lock": 2}');
    expect(await run('start').ended()).toBe(0);
    expect(npmCalls()).toBe(2);
    rmSync(file('node_modules'), {recursive: true});
    expect(await run('start').ended()).toBe(0);
    expect(npmCalls()).toBe(3);
  });

  test('installs again after an installation that failed, which it tells in a sentence', async () => {
    const {run, npmCalls, file} = project();
    writeFileSync(file('npm-fails'), '');
    const failed = run('start');
    expect(await failed.ended()).toBe(1);
    expect(failed.stderr).toContain('registry is down');
    expect(failed.stderr).toContain('npm install failed');
    expect(failed.stderr).not.toContain('    at ');
    rmSync(file('npm-fails'));
    expect(await run('start').ended()).toBe(0);
    expect(npmCalls()).toBe(2);
  });

  test('two at once install once', async () => {
    const {run, npmCalls, file} = project();
    writeFileSync(file('npm-waits'), '');
    const first = run('start', '0');
    await first.printed(/Installing what is missing/);
    const second = run('start', '0');
    await second.printed(/Waiting for another installation/);
    rmSync(file('npm-waits'));
    expect(await Promise.all([first.ended(), second.ended()])).toEqual([0, 0]);
    expect(npmCalls()).toBe(1);
  });

  test('takes over the lock of an installation that was killed', async () => {
    const {run, npmCalls, file} = project();
    const gone = run('no-such-command');
    await gone.ended();
    mkdirSync(file('node_modules'));
    writeFileSync(file('node_modules/.trellis-install.lock'), String(gone.child.pid));
    expect(await run('start').ended()).toBe(0);
    expect(npmCalls()).toBe(1);
    expect(existsSync(file('node_modules/.trellis-install.lock'))).toBe(false);
  });

  test('runs the program on the pinned Node, with its arguments, and ends with its exit code', async () => {
    const {run, file} = project();
    const started = run('start', '3', 'two words');
    expect(await started.ended()).toBe(3);
    expect(started.stdout).toContain('with ["3","two words"]');
    expect(existsSync(file('node_modules/node/bin/node'))).toBe(true);
  });

  test('runs the command line on the pinned Node, in the folder it was called from', async () => {
    const {file, env} = project();
    mkdirSync(file('src/cli'));
    writeFileSync(file('src/cli/trellis.ts'), `console.log('in', process.cwd(), ...process.argv.slice(2))`);
    const cwd = realpathSync(tempFolder());
    const {INIT_CWD: _, ...own} = env;
    const called = new StartedProcess(process.execPath, [file('scripts/trellis.mjs'), 'branch', 'list'], {
      cwd,
      env: own,
    });
    expect(await called.ended()).toBe(0);
    expect(called.stdout).toBe(`in ${cwd} branch list\n`);
    expect(existsSync(file('node_modules/node/bin/node'))).toBe(true);
  });

  test('passes a signal on and waits for the program to end', async () => {
    const {run} = project();
    const started = run('start', 'wait');
    await started.printed(/started on/);
    started.child.kill('SIGINT');
    expect(await started.ended()).toBe(7);
    expect(started.stdout.match(/got SIGINT/g)).toHaveLength(1);
  });

  test('a signal to npm alone reaches the program, so that no server is left behind', async () => {
    const {npm} = project();
    const started = npm('start', '--', 'wait');
    await started.printed(/started on/);
    started.child.kill('SIGTERM');
    expect(await started.ended()).toBe(7);
    expect(started.stdout).toContain('got SIGTERM');
  });

  test('says what there is for a command that there is not', async () => {
    const {run} = project();
    const started = run('strat');
    expect(await started.ended()).toBe(1);
    expect(started.stderr).toContain(
      'unknown command "strat"; there are: start, worker, test, check, bench, docs',
    );
  });

  test('stands in for a pinned Node that is missing, and says so', async () => {
    const {run, file} = project();
    writeFileSync(file('npm-forgets-node'), '');
    const started = run('start', '0');
    expect(await started.ended()).toBe(0);
    expect(started.stderr).toContain('The pinned Node is missing');
  });
});
