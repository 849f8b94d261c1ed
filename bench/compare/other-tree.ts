import {execFileSync, spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const TREE_BYTES_MAX = 2 ** 30;

/** A commit of this repository laid out beside the data sets, measured by the benchmarks of the working tree. */
export function otherTree(ref: string): {readonly folder: string; readonly commit: string} {
  const commit = git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`).toString().trim();
  // Not under node_modules: Node strips no types there.
  const folder = join(ROOT, '.cache', 'trees', commit);
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  const {status} = spawnSync('tar', ['-x', '-C', folder], {input: git('archive', commit)});
  if (status !== 0) throw new Error(`could not lay out ${ref}`);
  // The same ruler on both sides.
  rmSync(join(folder, 'bench'), {recursive: true, force: true});
  cpSync(join(ROOT, 'bench'), join(folder, 'bench'), {recursive: true});
  if (isSame(folder, 'package-lock.json')) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  } else {
    console.error(`${ref} has other packages: installing them ...`);
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {cwd: folder});
  }
  return {folder, commit: commit.slice(0, 8)};
}

const git = (...args: string[]): Buffer => execFileSync('git', args, {cwd: ROOT, maxBuffer: TREE_BYTES_MAX});

const isSame = (folder: string, file: string): boolean =>
  existsSync(join(folder, file)) &&
  readFileSync(join(folder, file), 'utf8') === readFileSync(join(ROOT, file), 'utf8');
