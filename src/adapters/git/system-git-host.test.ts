import {spawn} from 'node:child_process';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {basename, dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {makeGitRepository, temporaryFolder} from '../../ports/git-fixtures.ts';
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

/** Git's own server for HTTP, behind a password. */
function gitOverHttp(root: string, authorization: string): Parameters<typeof createServer>[1] {
  return (request, response) => {
    if (request.headers.authorization !== authorization) {
      response.writeHead(401, {'www-authenticate': 'Basic realm="git"'}).end();
      return;
    }
    const url = new URL(request.url!, 'http://localhost');
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...process.env,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: 'robot',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method!,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        ...(request.headers['content-encoding'] === 'gzip' ? {HTTP_CONTENT_ENCODING: 'gzip'} : {}),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    request.pipe(backend.stdin);
    const parts: Buffer[] = [];
    backend.stdout.on('data', (part: Buffer) => parts.push(part));
    backend.once('close', () => {
      const answer = Buffer.concat(parts);
      const split = answer.indexOf('\r\n\r\n');
      const head = answer.toString('latin1', 0, split).split('\r\n');
      const headers = head.map(line => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
      const status = headers.find(([name]) => name === 'Status')?.[1];
      response.writeHead(status === undefined ? 200 : Number.parseInt(status, 10), headers.flat());
      response.end(answer.subarray(split + 4));
    });
  };
}

test('a repository behind a password is fetched, and gets the branches that are made here', async () => {
  const repository = makeGitRepository();
  const commit = repository.commit({'a.txt': 'one'});
  repository.git('config', 'http.receivepack', 'true');
  const credential = {username: 'robot', password: "a 'secret' with $words and :"};
  const authorization = `Basic ${Buffer.from(`${credential.username}:${credential.password}`).toString('base64')}`;
  const server = gitOverHttp(dirname(repository.folder), authorization);
  await answering(server, async address => {
    const url = new URL(`/${basename(repository.folder)}`, address).href;
    const remote = {...remoteOf(url), credential};
    const host = open();
    expect(await host.fetch(remote)).toEqual({head: 'main', branches: [{name: 'main', commit}]});
    expect((await host.readFile(remote.id, commit, 'a.txt', 100)).is).toBe('file');
    await host.createBranch(remote, {name: 'made', commit});
    expect(repository.git('rev-parse', 'made')).toBe(commit);
    const wrong = {...remote, credential: {username: 'robot', password: 'another'}};
    await expect(host.fetch(wrong)).rejects.toMatchObject({reason: 'credential'});
  });
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
