import type {NodeId} from '../domain/graph/node-id.ts';
import type {GitCommit} from '../domain/repository/git-commit.ts';
import type {GitLocation} from '../domain/repository/location.ts';

/** A repository elsewhere, and what it is known by here. */
export interface GitRemote {
  readonly id: NodeId;
  readonly location: GitLocation;
  readonly credential: GitCredential | undefined;
}

export interface GitCredential {
  readonly username: string;
  readonly password: string;
}

export interface GitBranch {
  readonly name: string;
  readonly commit: GitCommit;
}

/** What a repository elsewhere has, when it answers. */
export interface GitHeads {
  readonly branches: readonly GitBranch[];
  /** The branch that the repository itself calls its first; absent in an empty one. */
  readonly head: string | undefined;
}

export type GitFile =
  | {readonly is: 'file'; readonly byteLength: number; readonly content: AsyncIterable<Uint8Array>}
  | {readonly is: 'too-large'; readonly byteLength: number}
  /** A path or a symbolic link that leads out of the repository. */
  | {readonly is: 'outside'}
  | {readonly is: 'missing'};

export interface GitTreeEntry {
  readonly path: string;
  readonly is: 'file' | 'link' | 'repository';
}

export interface GitFileChange {
  readonly path: string;
  readonly action: 'added' | 'modified' | 'deleted';
}

export type GitFailureReason =
  | 'credential'
  | 'connection'
  | 'not-found'
  | 'timeout'
  | 'missing-git'
  | 'other';

/** Git would not do what was asked. The message is for people and holds no secret. */
export class GitFailure extends Error {
  override name = 'GitFailure';
  readonly reason: GitFailureReason;

  constructor(reason: GitFailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Git repositories: what is elsewhere, and a mirror of each here.
 *
 * Whatever the mirror has fetched once stays readable, also after a force-push or the end of a branch. A file at a
 * commit never changes. Nothing outside a repository can be read through it. Failures are a `GitFailure`.
 */
export interface GitHost {
  /** What the repository has now; nothing is fetched. */
  heads(remote: GitRemote): Promise<GitHeads>;
  /** Brings the mirror up to date, and makes it when there is none; answers what `heads` would. */
  fetch(remote: GitRemote): Promise<GitHeads>;
  /** Makes a branch in the repository elsewhere, unless it is there. */
  createBranch(remote: GitRemote, branch: GitBranch): Promise<void>;
  /** The commit that a branch, a tag or (the beginning of) a hash means in the mirror. */
  commitOf(repository: NodeId, reference: string): Promise<GitCommit | undefined>;
  readFile(repository: NodeId, commit: GitCommit, path: string, bytesMax: number): Promise<GitFile>;
  /** The files below a folder, with their whole paths; the empty folder is the repository. */
  list(repository: NodeId, commit: GitCommit, folder: string): Promise<readonly GitTreeEntry[]>;
  changedFiles(repository: NodeId, from: GitCommit, to: GitCommit): Promise<readonly GitFileChange[]>;
  /** Runs a body with a folder that has the files of the commit. It is not to be written, and gone some time later. */
  inFolder<T>(repository: NodeId, commit: GitCommit, body: (folder: string) => Promise<T>): Promise<T>;
  /** Removes the mirror and all that was made from it. */
  forget(repository: NodeId): Promise<void>;
}
