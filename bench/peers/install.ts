import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {CACHE} from '../data-sets/build.ts';

/** A program that we are measured beside. It is installed when it is first asked for, never with Trellis itself. */
export interface Package {
  readonly name: string;
  /** Exact versions, the program itself first. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** The version of Node that it is made for, when that is another than ours. */
  readonly node?: string;
  /** Those of its packages that must be compiled for it to start; no other runs anything when it is installed. */
  readonly compiled?: readonly string[];
}

export type Installed =
  | {
      readonly is: 'installed';
      readonly folder: string;
      readonly version: string;
      /** The Node to run it on. */
      readonly node: string;
    }
  | {readonly is: 'missing'; readonly why: string};

const MINUTES_MAX = 30;

export function install({name, dependencies, node, compiled = []}: Package): Installed {
  const folder = join(CACHE, 'peers', name);
  const version = Object.values(dependencies)[0]!;
  const runtime = node === undefined ? undefined : `node-${process.platform}-${process.arch}`;
  const home = runtime === undefined ? undefined : join(folder, 'node_modules', runtime);
  const installed = {
    is: 'installed',
    folder,
    version,
    node: home === undefined ? process.execPath : join(home, 'bin', 'node'),
  } as const;
  const manifest = join(folder, 'installed.json');
  const wanted = JSON.stringify({dependencies, node});
  if (existsSync(manifest) && readFileSync(manifest, 'utf8') === wanted) return installed;
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  console.error(`installing ${name} ${version} ...`);
  // Its Node comes first: what is compiled during the installation is compiled for that one, with its headers.
  const first = runtime === undefined || node === undefined ? {} : {[runtime]: node};
  for (const wave of [first, {...dependencies, ...first}]) {
    if (Object.keys(wave).length === 0) continue;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({private: true, dependencies: wave}));
    const why = npm(folder, home, 'install', '--no-audit', '--no-fund', '--omit=dev', '--ignore-scripts');
    if (why !== undefined) return {is: 'missing', why};
  }
  const why = compiled.length === 0 ? undefined : npm(folder, home, 'rebuild', ...compiled);
  if (why !== undefined) return {is: 'missing', why};
  writeFileSync(manifest, wanted);
  return installed;
}

/** Answers why it failed, when it did. */
function npm(folder: string, home: string | undefined, ...args: readonly string[]): string | undefined {
  const env =
    home === undefined || !existsSync(home)
      ? process.env
      : {
          ...process.env,
          PATH: [join(home, 'bin'), process.env.PATH].join(delimiter),
          npm_config_nodedir: home,
        };
  const {status, stderr, error} = spawnSync('npm', [...args, '--loglevel=error'], {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: MINUTES_MAX * 60_000,
  });
  if (status === 0) return undefined;
  const lines = (stderr ?? '').split('\n').filter(line => line.startsWith('npm error'));
  return lines[1]?.replace(/^npm error\s*/, '') ?? lines[0] ?? error?.message ?? `npm ${args[0]} failed`;
}
