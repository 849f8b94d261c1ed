import type {Brand} from '../../base/brand.ts';

/** The full hash of a commit of Git; a `Commit` alone is always ours. */
export type GitCommit = Brand<string, 'GitCommit'>;

const FULL_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const HASH_OR_PREFIX = /^[0-9a-f]{4,64}$/;

export const isGitCommit = (text: string): text is GitCommit => FULL_HASH.test(text);

/** Whether a text can name a commit by its hash or the beginning of it; names of branches and tags cannot. */
export const canBeCommit = (text: string): boolean => HASH_OR_PREFIX.test(text);
