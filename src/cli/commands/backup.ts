import {createWriteStream} from 'node:fs';
import {open, rename, rm} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import {Readable, Transform} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {createGzip} from 'node:zlib';
import type {Command} from 'commander';
import {systemClock} from '../../adapters/clock/system-clock.ts';
import {must} from '../../base/assert.ts';
import {VERSION} from '../../main/version.ts';
import type {Client} from '../client.ts';
import {contextOf, examples} from '../context.ts';
import {CLI_EXIT, CommandFailed} from '../exit-codes.ts';
import {megabytes} from '../sizes.ts';

interface Source {
  readonly bytesAbout: number;
  readonly content: AsyncIterable<Uint8Array>;
}

export function addBackup(program: Command): void {
  program
    .command('backup')
    .description('save everything in one file, while the service works')
    .argument('<file>', 'the archive to write; a name that ends in .gz is compressed')
    .option('--data-dir <folder>', 'read this data folder instead of asking a service')
    .addHelpText('after', examples('backup nightly.tar', 'backup --data-dir ./data nightly.tar.gz'))
    .action(async (file: string, {dataDir}: {readonly dataDir?: string}, command: Command) => {
      const {client, terminal} = contextOf(command);
      const source = dataDir === undefined ? await fromService(client) : await fromFolder(dataDir);
      const progress = terminal.progress('Saving', source.bytesAbout);
      try {
        await save(source, file, bytes => progress.add(bytes));
      } finally {
        progress.stop();
      }
      const {readBackupFile} = await import('../backup-file.ts');
      const manifest = await readBackupFile(file, undefined, () => {});
      const bytes = manifest.files.reduce((sum, each) => sum + each.bytes, 0);
      terminal.result(
        {file: resolve(file), commit: manifest.commit, files: manifest.files.length, bytes},
        () => `Saved ${manifest.files.length} files (${megabytes(bytes)}) in ${file}`,
      );
    });
}

async function fromService(client: Client): Promise<Source> {
  const answer = await client.stream('/api/operations/backup');
  return {
    bytesAbout: Number(answer.headers.get('x-backup-bytes-about') ?? 0),
    content: must(answer.body, 'the archive') as unknown as AsyncIterable<Uint8Array>,
  };
}

async function fromFolder(folder: string): Promise<Source> {
  const {FolderBackups} = await import('../../adapters/backup/folder-backups.ts');
  return new FolderBackups({folder: resolve(folder), version: VERSION, clock: systemClock}).open();
}

/** The file has its name only once it is whole and on the disk. */
async function save({content}: Source, file: string, onBytes: (bytes: number) => void): Promise<void> {
  const draft = `${file}.part`;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  try {
    const to = createWriteStream(draft, {mode: 0o600, flush: true});
    const from = Readable.from(content, {objectMode: false});
    if (file.endsWith('.gz')) await pipeline(from, counter, createGzip({level: 1}), to);
    else await pipeline(from, counter, to);
    await rename(draft, file);
    await syncFolder(dirname(resolve(file)));
  } catch (error) {
    await rm(draft, {force: true});
    throw new CommandFailed(CLI_EXIT.failed, `The backup was not saved: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
