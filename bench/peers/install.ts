import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {CACHE} from '../data-sets/build.ts';

/** A program that we are measured beside. It is installed when it is first asked for, never with Trellis itself. */
export interface Package {
  readonly name: string;
  /** Exact versions, the program itself first. */
  readonly dependencies: Readonly<Record<string, string>>;
}

export type Installed =
  | {readonly is: 'installed'; readonly folder: string; readonly version: string}
  | {readonly is: 'missing'; readonly why: string};

const MINUTES_MAX = 15;

export function install({name, dependencies}: Package): Installed {
  const folder = join(CACHE, 'peers', name);
  const version = Object.values(dependencies)[0]!;
  const manifest = join(folder, 'installed.json');
  const wanted = JSON.stringify(dependencies);
  if (existsSync(manifest) && readFileSync(manifest, 'utf8') === wanted) {
    return {is: 'installed', folder, version};
  }
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, 'package.json'), JSON.stringify({private: true, dependencies}));
  console.error(`installing ${name} ${version} ...`);
  const {status, stderr, error} = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--omit=dev', '--loglevel=error'],
    {cwd: folder, encoding: 'utf8', timeout: MINUTES_MAX * 60_000},
  );
  if (status !== 0) return {is: 'missing', why: reason(stderr ?? '', error)};
  writeFileSync(manifest, wanted);
  return {is: 'installed', folder, version};
}

function reason(stderr: string, error: Error | undefined): string {
  const lines = stderr.split('\n').filter(line => line.startsWith('npm error'));
  return lines[1]?.replace(/^npm error\s*/, '') ?? lines[0] ?? error?.message ?? 'npm install failed';
}
