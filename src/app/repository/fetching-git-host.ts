import {BoundedMap} from '../../base/bounded-map.ts';
import {KeyedTurns} from '../../base/keyed-turns.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {type GitCommit, isGitCommit} from '../../domain/repository/git-commit.ts';
import {
  type GitBranch,
  GitFailure,
  type GitFile,
  type GitHost,
  type GitRemote,
} from '../../ports/git-host.ts';
import type {GraphStore} from '../../ports/graph-store.ts';
import {remoteOf} from './remote-of.ts';

type Store = Pick<GraphStore, 'snapshot' | 'defaultBranch'>;

const KNOWN_MAX = 10_000;
/** A commit that nobody has is not looked for elsewhere more often than this. */
const FETCH_PAUSE_MILLIS = 10_000;

/**
 * Git with a mirror that may lack what another server has fetched: a commit that is not here is fetched before it is
 * read.
 */
export class FetchingGitHost implements GitHost {
  readonly #inner: GitHost;
  readonly #store: Store;
  readonly #known = new BoundedMap<string, true>(KNOWN_MAX);
  readonly #fetchedAt = new Map<NodeId, number>();
  readonly #turns = new KeyedTurns();

  constructor(inner: GitHost, store: Store) {
    this.#inner = inner;
    this.#store = store;
  }

  heads(remote: GitRemote) {
    return this.#inner.heads(remote);
  }

  fetch(remote: GitRemote) {
    return this.#turns.run(remote.id, () => this.#inner.fetch(remote));
  }

  async createBranch(remote: GitRemote, branch: GitBranch): Promise<void> {
    await this.#ensure(remote.id, branch.commit);
    return this.#inner.createBranch(remote, branch);
  }

  async commitOf(repository: NodeId, reference: string): Promise<GitCommit | undefined> {
    if (isGitCommit(reference)) await this.#ensure(repository, reference);
    return this.#inner.commitOf(repository, reference);
  }

  async readFile(repository: NodeId, commit: GitCommit, path: string, bytesMax: number): Promise<GitFile> {
    await this.#ensure(repository, commit);
    return this.#inner.readFile(repository, commit, path, bytesMax);
  }

  async list(repository: NodeId, commit: GitCommit, folder: string) {
    await this.#ensure(repository, commit);
    return this.#inner.list(repository, commit, folder);
  }

  async changedFiles(repository: NodeId, from: GitCommit, to: GitCommit) {
    await this.#ensure(repository, from);
    await this.#ensure(repository, to);
    return this.#inner.changedFiles(repository, from, to);
  }

  async inFolder<T>(repository: NodeId, commit: GitCommit, body: (folder: string) => Promise<T>): Promise<T> {
    await this.#ensure(repository, commit);
    return this.#inner.inFolder(repository, commit, body);
  }

  forget(repository: NodeId): Promise<void> {
    this.#fetchedAt.delete(repository);
    this.#known.clear();
    return this.#inner.forget(repository);
  }

  /** A repository that does not answer leaves the mirror as it is; whoever reads finds what is not there. */
  async #ensure(repository: NodeId, commit: GitCommit): Promise<void> {
    const key = `${repository} ${commit}`;
    if (this.#known.get(key) === true) return;
    await this.#turns.run(`ensure ${repository}`, async () => {
      const isHere = async () => (await this.#inner.commitOf(repository, commit)) !== undefined;
      if (!(await isHere())) await this.#fetchMissing(repository);
      if (await isHere()) this.#known.set(key, true);
    });
  }

  async #fetchMissing(repository: NodeId): Promise<void> {
    const now = performance.now();
    if (now - (this.#fetchedAt.get(repository) ?? Number.NEGATIVE_INFINITY) < FETCH_PAUSE_MILLIS) return;
    const head = await this.#store.snapshot({branch: this.#store.defaultBranch});
    const node = await head.node(repository);
    if (node === undefined) return;
    this.#fetchedAt.set(repository, now);
    try {
      await this.fetch(await remoteOf(head, node));
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
    }
  }
}
