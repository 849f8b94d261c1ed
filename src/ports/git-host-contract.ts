import {existsSync, lstatSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {NodeId} from '../domain/graph/node-id.ts';
import type {GitCommit} from '../domain/repository/git-commit.ts';
import {parseLocation} from '../domain/repository/location.ts';
import {type MadeRepository, makeGitRepository, temporaryFolder} from './git-fixtures.ts';
import {GitFailure, type GitFile, type GitHost, type GitRemote} from './git-host.ts';

let made = 0;

export function remoteOf(location: string): GitRemote {
  made += 1;
  const id = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}` as NodeId;
  return {id, location: parseLocation(location), credential: undefined};
}

const BYTES_MAX = 100_000;

async function textOf(file: GitFile): Promise<string> {
  if (file.is !== 'file') return file.is;
  const parts: Uint8Array[] = [];
  for await (const part of file.content) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** What every way to Git promises. */
export function gitHostContract(name: string, open: () => GitHost): void {
  const fetched = async (repository: MadeRepository) => {
    const host = open();
    const remote = remoteOf(repository.folder);
    await host.fetch(remote);
    const read = async (commit: GitCommit, path: string) =>
      textOf(await host.readFile(remote.id, commit, path, BYTES_MAX));
    return {host, remote, read};
  };

  describe(`${name}: git-host contract`, () => {
    test('a fetch answers the branches with their commits, and the one that the repository calls its first', async () => {
      const repository = makeGitRepository('trunk');
      const first = repository.commit({'a.txt': 'one'});
      repository.git('checkout', '--quiet', '-b', 'feature/x');
      const second = repository.commit({'a.txt': 'two'});
      repository.git('checkout', '--quiet', 'trunk');
      const host = open();
      const remote = remoteOf(`file://${repository.folder}`);
      const heads = await host.fetch(remote);
      expect(heads).toEqual({
        head: 'trunk',
        branches: [
          {name: 'feature/x', commit: second},
          {name: 'trunk', commit: first},
        ],
      });
      expect(await host.heads(remote)).toEqual(heads);
    });

    test('an empty repository has no branches', async () => {
      const {host, remote} = await fetched(makeGitRepository());
      expect((await host.heads(remote)).branches).toEqual([]);
      expect(await host.commitOf(remote.id, 'main')).toBe(undefined);
    });

    test('a file reads as it was at each commit, byte for byte', async () => {
      const repository = makeGitRepository();
      const bytes = Uint8Array.from({length: 70_000}, (_, place) => place % 251);
      const first = repository.commit({'deep/er/a.txt': 'one\n', 'bytes.bin': bytes, empty: ''});
      const second = repository.commit({'deep/er/a.txt': 'two\n'});
      const {host, remote, read} = await fetched(repository);
      expect(await read(first, 'deep/er/a.txt')).toBe('one\n');
      expect(await read(second, './deep//er/../er/a.txt')).toBe('two\n');
      expect(await read(second, 'empty')).toBe('');
      const file = await host.readFile(remote.id, second, 'bytes.bin', BYTES_MAX);
      expect(file).toMatchObject({is: 'file', byteLength: bytes.byteLength});
      const parts: Uint8Array[] = [];
      if (file.is === 'file') for await (const part of file.content) parts.push(part);
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    });

    test('what is no file is missing, and what is too large is not read', async () => {
      const repository = makeGitRepository();
      const commit = repository.commit({'folder/a.txt': 'a', large: 'x'.repeat(BYTES_MAX + 1)});
      const {host, remote, read} = await fetched(repository);
      for (const path of ['nothing', 'folder', 'folder/', '', 'a\nb', 'folder/a.txt/b']) {
        expect([path, await read(commit, path)]).toEqual([path, 'missing']);
      }
      expect(await read('0'.repeat(40) as GitCommit, 'folder/a.txt')).toBe('missing');
      expect(await read(commit, 'large')).toBe('too-large');
      const other = remoteOf('/nowhere');
      expect(await host.readFile(other.id, commit, 'folder/a.txt', BYTES_MAX)).toEqual({is: 'missing'});
      expect(await host.commitOf(remote.id, commit.slice(0, 8))).toBe(commit);
    });

    test('no path and no symbolic link leads out of the repository', async () => {
      const repository = makeGitRepository();
      repository.link('absolute', '/etc/passwd');
      repository.link('folder/up', '../../../../etc/passwd');
      repository.link('inside', 'folder/a.txt');
      repository.link('circle', 'circle');
      repository.link('etc', '/etc');
      const commit = repository.commit({'folder/a.txt': 'a'});
      const {host, remote, read} = await fetched(repository);
      for (const path of ['../a', 'folder/../../a', '/etc/passwd', 'absolute', 'folder/up', 'etc/passwd']) {
        expect([path, await read(commit, path)]).toEqual([path, 'outside']);
      }
      expect(await read(commit, 'inside')).toBe('a');
      expect(await read(commit, 'circle')).toBe('missing');
      await host.inFolder(remote.id, commit, async folder => {
        expect(readFileSync(join(folder, 'inside'), 'utf8')).toBe('a');
        for (const path of ['absolute', 'folder/up', 'circle', 'etc']) {
          expect([path, lstatSync(join(folder, path)).isSymbolicLink()]).toEqual([path, false]);
        }
      });
    });

    test('a folder has the files of its commit, however many ask for it at once', async () => {
      const repository = makeGitRepository();
      const first = repository.commit({'a.txt': 'one'});
      const second = repository.commit({'a.txt': 'two', 'b/c.txt': 'new'});
      const {host, remote} = await fetched(repository);
      const texts = await Promise.all(
        [first, second, first, second].map(commit =>
          host.inFolder(remote.id, commit, async folder => readFileSync(join(folder, 'a.txt'), 'utf8')),
        ),
      );
      expect(texts).toEqual(['one', 'two', 'one', 'two']);
    });

    test('the folders that were used longest ago go, and come again when they are wanted', async () => {
      const repository = makeGitRepository();
      const commits = Array.from({length: 12}, (_, place) => repository.commit({'a.txt': String(place)}));
      const {host, remote} = await fetched(repository);
      const folders: string[] = [];
      for (const commit of commits) {
        await host.inFolder(remote.id, commit, async folder => void folders.push(folder));
      }
      expect(folders.filter(folder => existsSync(folder)).length).toBeLessThan(10);
      await host.inFolder(remote.id, commits[0]!, async folder => {
        expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('0');
      });
    });

    test('a tree lists its files; changes between commits say what was added, modified and deleted', async () => {
      const repository = makeGitRepository();
      const first = repository.commit({'keep.txt': 'k', 'b/old.txt': 'o', 'b/text.txt': '1'});
      const second = repository.commit({'b/old.txt': null, 'b/text.txt': '2', 'b/new\ttab.txt': 'n'});
      const {host, remote} = await fetched(repository);
      expect((await host.list(remote.id, first, 'b')).map(({path}) => path)).toEqual([
        'b/old.txt',
        'b/text.txt',
      ]);
      expect((await host.list(remote.id, first, '')).length).toBe(3);
      expect(await host.list(remote.id, first, 'keep')).toEqual([]);
      expect(await host.changedFiles(remote.id, first, second)).toEqual([
        {path: 'b/new\ttab.txt', action: 'added'},
        {path: 'b/old.txt', action: 'deleted'},
        {path: 'b/text.txt', action: 'modified'},
      ]);
      expect(await host.changedFiles(remote.id, second, second)).toEqual([]);
    });

    test('commits stay readable after a force-push and after their branch has gone', async () => {
      const repository = makeGitRepository();
      const first = repository.commit({'a.txt': 'one'});
      repository.git('checkout', '--quiet', '-b', 'side');
      const side = repository.commit({'a.txt': 'side'});
      const {host, remote, read} = await fetched(repository);
      repository.git('checkout', '--quiet', 'main');
      repository.git('branch', '--quiet', '-D', 'side');
      repository.git('commit', '--quiet', '--amend', '-m', 'another history');
      const amended = repository.git('rev-parse', 'HEAD');
      expect((await host.fetch(remote)).branches).toEqual([{name: 'main', commit: amended}]);
      expect(await host.commitOf(remote.id, 'side')).toBe(undefined);
      expect(await host.commitOf(remote.id, 'main')).toBe(amended);
      expect(await read(first, 'a.txt')).toBe('one');
      expect(await read(side, 'a.txt')).toBe('side');
    });

    test('a repository that moved is fetched from its new place into the same mirror', async () => {
      const before = makeGitRepository();
      const old = before.commit({'a.txt': 'old'});
      const {host, remote, read} = await fetched(before);
      const after = makeGitRepository();
      const commit = after.commit({'a.txt': 'new'});
      await host.fetch({...remote, location: parseLocation(after.folder)});
      expect(await host.commitOf(remote.id, 'main')).toBe(commit);
      expect(await read(old, 'a.txt')).toBe('old');
    });

    test('a branch that is made here appears in the repository elsewhere, once', async () => {
      const repository = makeGitRepository();
      const commit = repository.commit({'a.txt': 'one'});
      const {host, remote} = await fetched(repository);
      await host.createBranch(remote, {name: 'feature/made', commit});
      await host.createBranch(remote, {name: 'feature/made', commit});
      expect(repository.git('rev-parse', 'feature/made')).toBe(commit);
    });

    test('a place without a repository fails with a sentence, and leaves others alone', async () => {
      const host = open();
      const empty = temporaryFolder('not-a-repository');
      for (const location of [empty, '/nowhere/at/all', `file://${empty}`]) {
        const failure = await host.fetch(remoteOf(location)).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(GitFailure);
        expect(failure).toMatchObject({reason: 'not-found'});
        expect((failure as Error).message).toContain('is not a Git repository');
      }
      const failure = await host.heads(remoteOf('http://127.0.0.1:9/x.git')).catch((error: unknown) => error);
      expect(failure).toMatchObject({reason: 'connection'});
    });

    test('a repository that is forgotten has nothing any more', async () => {
      const repository = makeGitRepository();
      const commit = repository.commit({'a.txt': 'one'});
      const {host, remote, read} = await fetched(repository);
      await host.forget(remote.id);
      expect(await read(commit, 'a.txt')).toBe('missing');
    });
  });
}
