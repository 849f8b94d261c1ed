import {type GitCommit, isGitCommit} from '../../domain/repository/git-commit.ts';
import type {GitBranch, GitFileChange, GitHeads, GitTreeEntry} from '../../ports/git-host.ts';

const BRANCH = 'refs/heads/';

/** `git ls-remote --symref`: a line for the head's name, then one for each reference. */
export function readHeads(text: string): GitHeads {
  const branches: GitBranch[] = [];
  let head: string | undefined;
  for (const line of text.split('\n')) {
    const [left = '', name = ''] = line.split('\t');
    if (left.startsWith(`ref: ${BRANCH}`) && name === 'HEAD') head = left.slice(`ref: ${BRANCH}`.length);
    else if (name.startsWith(BRANCH) && isGitCommit(left)) {
      branches.push({name: name.slice(BRANCH.length), commit: left});
    }
  }
  return {branches, head};
}

const ENTRY_KINDS: Readonly<Record<string, GitTreeEntry['is']>> = {
  '120000': 'link',
  '160000': 'repository',
};

/** `git ls-tree -r -z`: mode, type and object, a tab, the path. */
export const readTree = (text: string): readonly GitTreeEntry[] =>
  records(text).map(record => {
    const [facts = '', path = ''] = splitOnce(record, '\t');
    return {path, is: ENTRY_KINDS[facts.slice(0, 6)] ?? 'file'};
  });

const ACTIONS: Readonly<Record<string, GitFileChange['action']>> = {A: 'added', D: 'deleted'};

/** `git diff-tree -r -z --name-status`: letter and path in turn. */
export function readChanges(text: string): readonly GitFileChange[] {
  const parts = records(text);
  const changes: GitFileChange[] = [];
  for (let place = 0; place + 1 < parts.length; place += 2) {
    changes.push({path: parts[place + 1]!, action: ACTIONS[parts[place]!] ?? 'modified'});
  }
  return changes;
}

export function readCommit(text: string): GitCommit | undefined {
  const hash = text.trim();
  return isGitCommit(hash) ? hash : undefined;
}

const records = (text: string): readonly string[] => text.split('\0').filter(record => record !== '');

function splitOnce(text: string, separator: string): readonly string[] {
  const place = text.indexOf(separator);
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + 1)];
}
