import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {GitCommit} from '../../domain/repository/git-commit.ts';
import type {GitHost} from '../../ports/git-host.ts';
import {TransformFailure, type TransformRunner} from '../../ports/transform-runner.ts';

interface Deps {
  readonly git: GitHost;
  readonly transforms: TransformRunner;
}

export interface TransformMove {
  readonly transform: NodeRecord;
  readonly repository: NodeId;
  readonly from: GitCommit;
  readonly to: GitCommit;
}

/** Words about the files of a repository; no transform is made of them. */
const DOCUMENTATION = /(?:^|\/)(?:readme|license|changelog)[^/]*$|\.(?:md|rst)$/i;
const MILLIS_MAX = 30_000;

/** A file that a transform is made of and that differs between two commits; undefined when there is none. */
export async function changeOfFiles(deps: Deps, move: TransformMove): Promise<string | undefined> {
  const {repository, from, to} = move;
  const changed = (await deps.git.changedFiles(repository, from, to))
    .map(({path}) => path)
    .filter(path => !DOCUMENTATION.test(path));
  if (changed.length === 0) return undefined;
  const files = await filesOf(deps, move);
  return files === undefined ? changed[0] : changed.find(path => files.has(path));
}

/** Of a template, what it includes at either commit. Python may read any file. */
async function filesOf(deps: Deps, move: TransformMove): Promise<ReadonlySet<string> | undefined> {
  const path = move.transform.value('template_path');
  if (typeof path !== 'string') return undefined;
  const all = new Set<string>();
  for (const commit of [move.from, move.to]) {
    const files = await deps.git
      .inFolder(move.repository, commit, folder =>
        deps.transforms.templateFiles({folder, path, millisMax: MILLIS_MAX}),
      )
      .catch((error: unknown) => {
        // A template that cannot be read now may have been mended, so that it matters.
        if (error instanceof TransformFailure) return undefined;
        throw error;
      });
    if (files === undefined) return undefined;
    for (const file of files) all.add(file);
  }
  return all;
}
