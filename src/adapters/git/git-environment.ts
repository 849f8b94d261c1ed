import {chmod, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {GitCredential} from '../../ports/git-host.ts';

/** Git runs it with a question as its argument; the answers come by the environment, which only this user can read. */
const ASKPASS = `#!/bin/sh
case "$1" in
  [Uu]sername*) printf '%s\\n' "$TRELLIS_GIT_USERNAME" ;;
  *) printf '%s\\n' "$TRELLIS_GIT_PASSWORD" ;;
esac
`;

export async function writeAskpass(folder: string): Promise<string> {
  await mkdir(folder, {recursive: true, mode: 0o700});
  const path = join(folder, 'askpass.sh');
  await writeFile(path, ASKPASS);
  await chmod(path, 0o700);
  return path;
}

const UNATTENDED = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'file:http:https:ssh',
  // A transfer slower than this for so long has stalled.
  GIT_HTTP_LOW_SPEED_LIMIT: '100',
  GIT_HTTP_LOW_SPEED_TIME: '30',
};

/** For runs that stay on this machine. */
export const LOCAL_ENVIRONMENT: Readonly<Record<string, string>> = {...UNATTENDED, GIT_ASKPASS: 'false'};

/** For runs that talk to a repository elsewhere. */
export function remoteEnvironment(
  askpass: string,
  credential: GitCredential | undefined,
): Readonly<Record<string, string>> {
  return {
    ...UNATTENDED,
    GIT_SSH_COMMAND:
      process.env.GIT_SSH_COMMAND ??
      'ssh -o BatchMode=yes -o ConnectTimeout=15 -o StrictHostKeyChecking=accept-new',
    ...(credential === undefined
      ? {GIT_ASKPASS: 'false'}
      : {
          GIT_ASKPASS: askpass,
          TRELLIS_GIT_USERNAME: credential.username,
          TRELLIS_GIT_PASSWORD: credential.password,
        }),
  };
}
