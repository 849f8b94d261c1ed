import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {GitCommit} from '../domain/repository/git-commit.ts';

const WHO = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
};

export type MadeRepository = ReturnType<typeof makeGitRepository>;

/** A folder that goes with all others of the file when its tests are over. */
export const temporaryFolder = (name: string): string => mkdtempSync(join(tmpdir(), `trellis-${name}-`));

/** A real repository in a folder of its own, with an empty history. */
export function makeGitRepository(initialBranch = 'main') {
  const folder = temporaryFolder('repository');
  const git = (...args: string[]): string =>
    execFileSync('git', args, {cwd: folder, env: {...process.env, ...WHO}, stdio: ['pipe', 'pipe', 'pipe']})
      .toString()
      .trim();
  git('init', '--quiet', `--initial-branch=${initialBranch}`);
  // What the service pushes may be the branch that is checked out here.
  git('config', 'receive.denyCurrentBranch', 'ignore');

  return {
    folder,
    git,
    link: (path: string, target: string) => {
      mkdirSync(dirname(join(folder, path)), {recursive: true});
      symlinkSync(target, join(folder, path));
    },
    /** Writes files (null removes one) and commits everything that is there. */
    commit(files: Readonly<Record<string, string | Uint8Array | null>>, message = 'change'): GitCommit {
      for (const [path, content] of Object.entries(files)) {
        if (content === null) rmSync(join(folder, path));
        else {
          mkdirSync(dirname(join(folder, path)), {recursive: true});
          writeFileSync(join(folder, path), content);
        }
      }
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD') as GitCommit;
    },
  };
}
