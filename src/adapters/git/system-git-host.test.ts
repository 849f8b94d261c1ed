import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../../ports/git-fixtures.ts';
import {gitHostContract, remoteOf} from '../../ports/git-host-contract.ts';
import {SystemGitHost} from './system-git-host.ts';

const open = (fetchSecondsMax = 60) =>
  new SystemGitHost({
    folder: join(temporaryFolder('mirrors'), 'repositories'),
    fetchSecondsMax,
    processesMax: 4,
  });

gitHostContract('system git', open);

async function answering(
  respond: Parameters<typeof createServer>[1],
  body: (address: string) => Promise<void>,
) {
  const server = createServer(respond!).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}/team/configs.git`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('the credential goes to the repository that asks for it, and a refused one is told as such', async () => {
  const seen: string[] = [];
  await answering(
    (request, response) => {
      seen.push(request.headers.authorization ?? 'none');
      response.writeHead(401, {'www-authenticate': 'Basic realm="git"'}).end();
    },
    async address => {
      const remote = {...remoteOf(address), credential: {username: 'robot', password: 'the secret'}};
      const failure = await open()
        .heads(remote)
        .catch((error: unknown) => error as Error);
      expect(failure).toMatchObject({reason: 'credential'});
      expect(String(failure)).toContain('refused the credential');
      expect(String(failure)).not.toContain('the secret');
      expect(
        await open()
          .heads(remoteOf(address))
          .catch((error: unknown) => error),
      ).toMatchObject({
        reason: 'credential',
      });
    },
  );
  expect(seen).toContain(`Basic ${Buffer.from('robot:the secret').toString('base64')}`);
});

test('a repository that never answers is given up', async () => {
  await answering(
    () => undefined,
    async address => {
      const failure = await open(0.3)
        .heads(remoteOf(address))
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({reason: 'timeout'});
    },
  );
});
