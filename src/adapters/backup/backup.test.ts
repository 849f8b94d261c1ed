import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {buffer} from 'node:stream/consumers';
import fc from 'fast-check';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {ALL_KINDS, chosen, MAIN, SERVICE} from '../../ports/graph-store-fixtures.ts';
import {systemClock} from '../clock/system-clock.ts';
import {openSqliteGraphStore, type SqliteGraphStore} from '../sqlite/sqlite-graph-store.ts';
import {FolderBackups, removeUnfinishedBackups} from './folder-backups.ts';
import {MANIFEST} from './manifest.ts';
import {readArchive} from './read-archive.ts';
import {RESTORE_MARK, restoreBackup} from './restore-backup.ts';
import {END_OF_ARCHIVE, headerOf, paddingFor, parseHeader} from './tar.ts';

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-backup-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

const open = async (folder: string): Promise<SqliteGraphStore> =>
  openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0});

const tagId = (count: number) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}` as NodeId;

const addTag = (store: SqliteGraphStore, count: number) =>
  store.write(MAIN, SERVICE, draft =>
    draft.create({id: tagId(count), kind: 'TestTag', attributes: chosen({name: `tag-${count}`})}),
  );

async function tags(store: SqliteGraphStore): Promise<number> {
  const head = await store.snapshot({branch: MAIN});
  return (await head.query({kind: 'TestTag', count: true, nodes: false})).count!;
}

async function filledFolder(count = 3): Promise<string> {
  const folder = tempFolder();
  const store = await open(folder);
  await store.write(MAIN, SERVICE, async draft => {
    for (const record of ALL_KINDS) await draft.putKind(record);
  });
  for (let each = 0; each < count; each += 1) await addTag(store, each);
  await store.close();
  mkdirSync(join(folder, 'storage', 'ab'), {recursive: true});
  writeFileSync(join(folder, 'storage', 'ab', 'one'), 'the first object');
  writeFileSync(join(folder, 'storage', 'empty'), '');
  writeFileSync(join(folder, 'secret.key'), 'a secret');
  return folder;
}

const backupsOf = (folder: string) => new FolderBackups({folder, version: '1.2.3', clock: systemClock});

async function backupOf(folder: string): Promise<Buffer> {
  return buffer((await backupsOf(folder).open()).content);
}

async function* inChunks(bytes: Uint8Array, chunkBytes = 65_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

const restore = (bytes: Uint8Array, folder: string, force = false) =>
  restoreBackup({chunks: inChunks(bytes), folder, clock: systemClock, force, onStep() {}});

describe('a backup', () => {
  test('holds the database, the objects and the secret, and says so in its manifest', async () => {
    const folder = await filledFolder();
    const manifest = await readArchive(inChunks(await backupOf(folder)), undefined);
    expect(manifest).toMatchObject({format: 1, service_version: '1.2.3'});
    expect(manifest.files.map(({path}) => path)).toEqual([
      'trellis.db',
      'secret.key',
      'storage/ab/one',
      'storage/empty',
    ]);
    expect(readdirSync(folder).filter(name => name.endsWith('.tmp'))).toEqual([]);
  });

  test('restored into an empty folder, is the same graph at the same commit', async () => {
    const folder = await filledFolder();
    const bytes = await backupOf(folder);
    const target = join(tempFolder(), 'new');
    const {manifest, aside} = await restore(bytes, target);
    expect(aside).toBeUndefined();
    const [from, to] = [await open(folder), await open(target)];
    expect(to.deploymentId).toBe(from.deploymentId);
    expect(await tags(to)).toBe(3);
    expect(await to.commits({branch: MAIN, limit: 10, newestFirst: true})).toEqual(
      await from.commits({branch: MAIN, limit: 10, newestFirst: true}),
    );
    const [last] = await to.commits({branch: MAIN, limit: 1, newestFirst: true});
    expect(manifest.commit).toBe(last!.instant);
    await addTag(to, 9);
    await Promise.all([from.close(), to.close()]);
    expect(readFileSync(join(target, 'storage/ab/one'), 'utf8')).toBe('the first object');
    expect(readFileSync(join(target, 'secret.key'), 'utf8')).toBe('a secret');
  });

  test('made while others write is one commit, and none waits for it', async () => {
    const folder = await filledFolder(0);
    const store = await open(folder);
    let written = 0;
    let isDone = false;
    const writing = (async () => {
      while (!isDone) {
        await addTag(store, written);
        written += 1;
      }
    })();
    const archives: Buffer[] = [];
    for (let each = 0; each < 3; each += 1) archives.push(await backupOf(folder));
    isDone = true;
    await writing;
    await store.close();
    for (const bytes of archives) {
      const target = tempFolder();
      const {manifest} = await restore(bytes, target);
      const restored = await open(target);
      const head = await restored.snapshot({branch: MAIN});
      const {count, found} = await head.query({kind: 'TestTag', count: true});
      expect(found.map(({node}) => node.id).sort()).toEqual(
        Array.from({length: count!}, (_, each) => tagId(each)),
      );
      const [last] = await restored.commits({branch: MAIN, limit: 1, newestFirst: true});
      expect(last!.instant).toBe(manifest.commit);
      await restored.close();
    }
  });

  test('given up in the middle leaves nothing behind, nor does one whose process ended', async () => {
    const folder = await filledFolder();
    for await (const _chunk of (await backupsOf(folder).open()).content) break;
    expect(readdirSync(folder).filter(name => name.startsWith('backup-'))).toEqual([]);
    const [gone, alive] = ['backup-4194999-1.tmp', `backup-${process.ppid}-1.tmp`];
    for (const name of [gone, alive, 'restore.tmp']) mkdirSync(join(folder, name));
    await removeUnfinishedBackups(folder);
    expect(readdirSync(folder).filter(name => name.endsWith('.tmp'))).toEqual([alive]);
  });
});

describe('a restore', () => {
  test('refuses a folder with data, unless told to replace it; then what was there is kept aside', async () => {
    const bytes = await backupOf(await filledFolder(3));
    const target = await filledFolder(5);
    await expect(restore(bytes, target)).rejects.toThrow(/has data already/);
    const {aside} = await restore(bytes, target, true);
    const [now, before] = [await open(target), await open(aside!)];
    expect([await tags(now), await tags(before)]).toEqual([3, 5]);
    await Promise.all([now.close(), before.close()]);
  });

  test('refuses a folder that a service works on', async () => {
    const bytes = await backupOf(await filledFolder());
    const target = await filledFolder();
    const store = await open(target);
    await expect(restore(bytes, target, true)).rejects.toThrow(/is in use by another process/);
    await store.close();
  });

  test('that ended in the middle is known by its mark, and can be done again', async () => {
    const bytes = await backupOf(await filledFolder());
    const target = await filledFolder();
    writeFileSync(join(target, RESTORE_MARK), '');
    rmSync(join(target, 'trellis.db'));
    await expect(restore(bytes, target)).rejects.toThrow(/has data already/);
    await restore(bytes, target, true);
    expect(readdirSync(target)).not.toContain(RESTORE_MARK);
    const store = await open(target);
    expect(await tags(store)).toBe(3);
    await store.close();
  });

  test('refuses whatever bit is flipped and wherever the archive is cut, and changes nothing', async () => {
    const bytes = await backupOf(await filledFolder());
    const target = await filledFolder(1);
    const before = readFileSync(join(target, 'trellis.db'));
    // Behind the manifest there is only padding; nothing is read of it.
    const meaningful = bytes.lastIndexOf('}') + 1;
    const damage = fc.oneof(
      fc.record({
        is: fc.constant('flipped' as const),
        at: fc.nat({max: meaningful - 1}),
        bit: fc.nat({max: 7}),
      }),
      fc.record({is: fc.constant('cut' as const), at: fc.nat({max: meaningful - 1}), bit: fc.constant(0)}),
    );
    await fc.assert(
      fc.asyncProperty(damage, async ({is, at, bit}) => {
        const damaged = is === 'cut' ? bytes.subarray(0, at) : Buffer.from(bytes);
        if (is === 'flipped') damaged[at]! ^= 1 << bit;
        const outcome = await readArchive(inChunks(damaged), undefined).then(
          manifest => JSON.stringify(manifest),
          (error: Error) => error.name,
        );
        if (outcome === 'ArchiveDamaged') return;
        // Some bits of a header mean nothing to us (the mode, the owner); then everything else must be as it was.
        const whole = await readArchive(inChunks(bytes), undefined);
        const withoutWords = (text: string) => JSON.parse(text) as {files: unknown};
        expect(withoutWords(outcome).files).toEqual(whole.files);
      }),
      {numRuns: 150},
    );
    await expect(restore(bytes.subarray(0, 2000), target, true)).rejects.toThrow(/cut short/);
    expect(readFileSync(join(target, 'trellis.db')).equals(before)).toBe(true);
    expect(readdirSync(target).filter(name => name.startsWith('restore'))).toEqual([]);
  });

  test('refuses an archive that would write outside the folder, or hides files from its manifest', async () => {
    const entry = (name: string, text: string) => [
      headerOf({name, bytes: text.length}),
      Buffer.from(text),
      paddingFor(text.length),
    ];
    const manifest = JSON.stringify({
      format: 1,
      service_version: '1',
      deployment_id: 'x',
      made_at: '',
      commit: 1,
      files: [],
    });
    const archive = (...parts: Buffer[][]) => Buffer.concat([...parts.flat(), END_OF_ARCHIVE]);
    const outside = archive(entry('../outside', 'x'), entry(MANIFEST, manifest));
    await expect(restore(outside, tempFolder())).rejects.toThrow(/leads out of the folder/);
    const hidden = archive(entry('objects/x', 'x'), entry(MANIFEST, manifest));
    await expect(restore(hidden, tempFolder())).rejects.toThrow(/does not name/);
    const nothing = archive();
    await expect(restore(nothing, tempFolder())).rejects.toThrow(/no manifest/);
  });
});

test('a header of the archive keeps its name and size, beyond eight gibibytes too', () => {
  for (const bytes of [0, 1, 511, 2 ** 33 - 1, 2 ** 33, 2 ** 40]) {
    expect(parseHeader(headerOf({name: 'objects/a', bytes}))).toEqual({name: 'objects/a', bytes});
  }
});
