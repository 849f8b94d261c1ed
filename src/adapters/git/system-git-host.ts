import {mkdir, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {Slots} from '../../base/slots.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {pathInRepository} from '../../domain/repository/file-path.ts';
import {canBeCommit, type GitCommit} from '../../domain/repository/git-commit.ts';
import {resolveLinks} from '../../domain/repository/resolve-links.ts';
import type {
  GitBranch,
  GitFile,
  GitFileChange,
  GitHeads,
  GitHost,
  GitRemote,
  GitTreeEntry,
} from '../../ports/git-host.ts';
import {CommitFolders, placeLink} from './folders.ts';
import {LOCAL_ENVIRONMENT, remoteEnvironment, writeAskpass} from './git-environment.ts';
import {readChanges, readCommit, readHeads, readTree} from './git-output.ts';
import {readBlob} from './read-blob.ts';
import {type GitRun, runGit} from './run-git.ts';

export interface GitHostOptions {
  /** Where mirrors are kept, one folder for each repository. */
  readonly folder: string;
  /** A fetch that takes longer has failed. */
  readonly fetchSecondsMax: number;
  readonly processesMax: number;
}

const READ_MILLIS_MAX = 60_000;
const LINK_BYTES_MAX = 4096;

/** Repositories by the `git` of this machine, each with a bare mirror. */
export class SystemGitHost implements GitHost {
  readonly #options: GitHostOptions;
  readonly #slots: Slots;
  readonly #folders = new Map<NodeId, CommitFolders>();
  #askpass: Promise<string> | undefined;

  constructor(options: GitHostOptions) {
    this.#options = options;
    this.#slots = new Slots(options.processesMax);
  }

  async heads(remote: GitRemote): Promise<GitHeads> {
    const args = ['ls-remote', '--symref', '--', address(remote)];
    return readHeads(await this.#remote(remote, [...args, 'HEAD', 'refs/heads/*']));
  }

  async fetch(remote: GitRemote): Promise<GitHeads> {
    const mirror = this.#mirror(remote.id);
    await this.#ensureMirror(mirror);
    await this.#remote(remote, [
      ...inside(mirror),
      'fetch',
      '--quiet',
      '--prune',
      '--force',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-recurse-submodules',
      '--',
      address(remote),
      '+refs/heads/*:refs/heads/*',
      '+refs/tags/*:refs/tags/*',
    ]);
    return this.heads(remote);
  }

  async createBranch(remote: GitRemote, {name, commit}: GitBranch): Promise<void> {
    const {branches} = await this.heads(remote);
    if (branches.some(branch => branch.name === name)) return;
    const target = `${commit}:refs/heads/${name}`;
    const mirror = inside(this.#mirror(remote.id));
    await this.#remote(remote, [...mirror, 'push', '--quiet', '--', address(remote), target]);
  }

  async commitOf(repository: NodeId, reference: string): Promise<GitCommit | undefined> {
    const mirror = this.#mirror(repository);
    if (!(await isFolder(mirror))) return undefined;
    const names = [`refs/heads/${reference}`, `refs/tags/${reference}`];
    for (const name of canBeCommit(reference) ? [reference, ...names] : names) {
      const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
      const text = await this.#local(mirror, args).catch(() => '');
      const commit = readCommit(text);
      if (commit !== undefined) return commit;
    }
    return undefined;
  }

  async readFile(repository: NodeId, commit: GitCommit, path: string, bytesMax: number): Promise<GitFile> {
    const inner = pathInRepository(path);
    if (inner === undefined) return {is: 'outside'};
    const mirror = this.#mirror(repository);
    if (inner === '' || inner.includes('\n') || !(await isFolder(mirror))) return {is: 'missing'};
    const args = ['cat-file', '--batch', '--follow-symlinks'];
    return readBlob(localRun(mirror, args, `${commit}:${inner}\n`), bytesMax);
  }

  async list(repository: NodeId, commit: GitCommit, folder: string): Promise<readonly GitTreeEntry[]> {
    const inner = pathInRepository(folder);
    if (inner === undefined) return [];
    const args = ['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...(inner === '' ? [] : [`${inner}/`])];
    return readTree(await this.#local(this.#mirror(repository), args));
  }

  async changedFiles(repository: NodeId, from: GitCommit, to: GitCommit): Promise<readonly GitFileChange[]> {
    const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to, '--'];
    return readChanges(await this.#local(this.#mirror(repository), args));
  }

  inFolder<T>(repository: NodeId, commit: GitCommit, body: (folder: string) => Promise<T>): Promise<T> {
    const known = this.#folders.get(repository);
    const folders = known ?? new CommitFolders(join(this.#home(repository), 'commits'));
    this.#folders.set(repository, folders);
    return folders.use(commit, folder => this.#writeFiles(repository, commit, folder), body);
  }

  async forget(repository: NodeId): Promise<void> {
    this.#folders.delete(repository);
    await rm(this.#home(repository), {recursive: true, force: true});
  }

  /** Git writes links as plain files with the text of the link; those that stay inside become links afterwards. */
  async #writeFiles(repository: NodeId, commit: GitCommit, folder: string): Promise<void> {
    const mirror = this.#mirror(repository);
    const index = `${folder}.index`;
    const environment = {...LOCAL_ENVIRONMENT, GIT_INDEX_FILE: index, GIT_WORK_TREE: folder};
    const run = (args: readonly string[]) =>
      runGit({...localRun(mirror, args), environment, millisMax: this.#options.fetchSecondsMax * 1000});
    try {
      await run(['read-tree', commit]);
      await run(['checkout-index', '--all', '--force', '--quiet']);
    } finally {
      await rm(index, {force: true});
    }
    const entries = await this.list(repository, commit, '');
    const links = new Map<string, string>();
    for (const {path, is} of entries) {
      if (is !== 'link') continue;
      const text = await this.#linkText(mirror, commit, path);
      if (text !== undefined) links.set(path, text);
    }
    const files = new Set(entries.filter(({is}) => is === 'file').map(({path}) => path));
    for (const [path, target] of resolveLinks({files, links})) await placeLink(folder, path, target);
  }

  async #linkText(mirror: string, commit: GitCommit, path: string): Promise<string | undefined> {
    const text = await this.#local(mirror, ['cat-file', 'blob', `${commit}:${path}`]);
    return text.length > LINK_BYTES_MAX ? undefined : text;
  }

  async #ensureMirror(mirror: string): Promise<void> {
    if (await isFolder(join(mirror, 'objects'))) return;
    await mkdir(mirror, {recursive: true, mode: 0o700});
    await runGit(localRun(mirror, ['init', '--quiet', '--bare', '--initial-branch=main', '--', mirror]));
  }

  #home(repository: NodeId): string {
    return join(this.#options.folder, repository);
  }

  #mirror(repository: NodeId): string {
    return join(this.#home(repository), 'mirror.git');
  }

  async #local(mirror: string, args: readonly string[]): Promise<string> {
    const output = await this.#slots.run(() => runGit(localRun(mirror, args)));
    return output.toString('utf8');
  }

  async #remote(remote: GitRemote, args: readonly string[]): Promise<string> {
    this.#askpass ??= writeAskpass(this.#options.folder);
    const run: GitRun = {
      args,
      where: address(remote),
      environment: remoteEnvironment(await this.#askpass, remote.credential),
      millisMax: this.#options.fetchSecondsMax * 1000,
    };
    return (await runGit(run)).toString('utf8');
  }
}

const inside = (mirror: string) => ['--git-dir', mirror];

const localRun = (mirror: string, args: readonly string[], input?: string): GitRun => ({
  args: [...inside(mirror), ...args],
  where: 'the mirror of the repository',
  environment: LOCAL_ENVIRONMENT,
  millisMax: READ_MILLIS_MAX,
  ...(input === undefined ? {} : {input}),
});

const address = ({location}: GitRemote): string => (location.is === 'folder' ? location.path : location.url);

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
