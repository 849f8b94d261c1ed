import {GitFailure, type GitFailureReason} from '../../ports/git-host.ts';

/** What Git says, in the order of trust: the first that fits decides. */
const SIGNS: readonly (readonly [RegExp, GitFailureReason, string])[] = [
  [
    /Authentication failed|could not read (?:Username|Password)|Permission denied \(|HTTP Basic: Access denied|returned error: 40[13]|invalid credentials/i,
    'credential',
    'refused the credential',
  ],
  [
    /Could not resolve host|Failed to connect|Connection (?:refused|timed out|reset)|Couldn't connect|Network is unreachable|Host key verification failed|unable to access|No route to host|Connection closed|early EOF|remote end hung up/i,
    'connection',
    'cannot be reached',
  ],
  [
    /does not appear to be a git repository|repository '.*' (?:does not exist|not found)|Repository not found|does not exist|returned error: 404/i,
    'not-found',
    'is not a Git repository, or one that this credential may not see',
  ],
  [/dubious ownership/i, 'other', 'belongs to another user of this machine, so Git does not trust it'],
];

const WORDS_MAX = 500;

export function failureOf(where: string, stderr: string): GitFailure {
  const said = tidy(stderr);
  for (const [sign, reason, words] of SIGNS) {
    if (sign.test(stderr)) return new GitFailure(reason, `${where} ${words} (${said})`);
  }
  return new GitFailure('other', `Git failed on ${where}: ${said === '' ? 'it gave no reason' : said}`);
}

/** The lines that say something, without secrets that an address may hold. */
function tidy(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map(line => line.replace(/^(?:fatal|error|remote): ?/, '').trim())
    .filter(
      line => line !== '' && !/^(?:hint:|Please make sure you have|and the repository exists)/.test(line),
    );
  return lines
    .join('; ')
    .replace(/(\w+:\/\/)[^/@\s]+@/g, '$1')
    .slice(0, WORDS_MAX);
}
