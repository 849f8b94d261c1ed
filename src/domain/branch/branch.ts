import type {Brand} from '../../base/brand.ts';
import {validationError} from '../errors.ts';
import type {Instant} from '../time/instant.ts';

export type BranchName = Brand<string, 'BranchName'>;

/** Where agnostic data lives: one hidden branch that every branch sees at once. */
export const GLOBAL_BRANCH = '-global-' as BranchName;

const NAME_LENGTH_MIN = 3;
const NAME_LENGTH_MAX = 250;
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/[\s\p{Cc}\p{Cs}]/u, 'white space or control characters'],
  [/\p{Cf}/u, 'characters that nobody sees'],
  [/[~^:?*[\]\\"'`<>|%#&;]/, 'one of ~ ^ : ? * [ ] \\ " \' ` < > | % # & ;'],
  [/\.\./, '".."'],
  [/\/\//, '"//"'],
  [/@\{/, '"@{"'],
  [/^\/|\/$/, 'a leading or trailing "/"'],
  [/\.$|\.lock(?:\/|$)/, 'a trailing "." or ".lock"'],
  [/(?:^|\/)\./, 'a part that starts with "."'],
  [/^-/, 'a leading "-"'],
  [/^HEAD$/, 'HEAD alone, which means something else in Git'],
];

export interface Branch {
  readonly id: string;
  readonly name: BranchName;
  readonly description: string;
  readonly isDefault: boolean;
  /** The branch it was made from; absent for the default branch. */
  readonly origin: BranchName | undefined;
  /** What it sees of its origin: the fork, moved by a merge or a rebase. */
  readonly forkedAt: Instant;
  readonly createdAt: Instant;
  readonly syncWithGit: boolean;
  readonly hasSchemaChanges: boolean;
}

export function parseBranchName(text: string): BranchName {
  if (text.length < NAME_LENGTH_MIN || text.length > NAME_LENGTH_MAX) {
    throw validationError(
      `A branch name has ${NAME_LENGTH_MIN} to ${NAME_LENGTH_MAX} characters; "${text.slice(0, 60)}" has ${text.length}`,
    );
  }
  for (const [pattern, what] of FORBIDDEN) {
    if (pattern.test(text)) throw validationError(`The branch name "${text}" may not contain ${what}`);
  }
  if (text !== text.normalize('NFC')) {
    throw validationError(
      `The branch name "${text}" has letters and their marks apart; join them (Unicode NFC), so that names which look the same are the same`,
    );
  }
  return text as BranchName;
}
