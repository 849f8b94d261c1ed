import {existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {buffer} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {FolderBackups} from '../../src/adapters/backup/folder-backups.ts';
import {RESTORE_MARK} from '../../src/adapters/backup/restore-backup.ts';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {openSqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import {prepareDataFolder} from '../../src/main/data-folder.ts';
import {ALL_KINDS, chosen, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import {StartedProcess, tempFolder} from '../process/start-process.ts';
import {COMPILED} from './compiled.ts';

const SAVED = 3;
const THERE = 5;

const open = (folder: string) => openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0});

async function filledFolder(folder: string, count: number): Promise<void> {
  mkdirSync(folder);
  const store = await open(folder);
  await store.write(MAIN, SERVICE, async draft => {
    for (const record of ALL_KINDS) await draft.putKind(record);
    for (let each = 0; each < count; each += 1) {
      const id = `00000000-0000-4000-8000-00000000000${each}` as NodeId;
      await draft.create({id, kind: 'TestTag', attributes: chosen({name: `tag-${each}`})});
    }
  });
  await store.close();
}

async function soundTags(folder: string): Promise<number> {
  const store = await open(folder);
  expect((await store.verify()).problems).toEqual([]);
  const head = await store.snapshot({branch: MAIN});
  const {count} = await head.query({kind: 'TestTag', count: true, nodes: false});
  await store.close();
  return count!;
}

test.each(['unpacking', 'verifying', 'replacing', 'restored'])(
  'a restore that is killed when it begins %s leaves the old data, the new, or a mark; done again it is whole',
  async step => {
    const top = tempFolder();
    const [from, folder, file] = [join(top, 'from'), join(top, 'data'), join(top, 'backup.tar')];
    await filledFolder(from, SAVED);
    await filledFolder(folder, THERE);
    const backups = new FolderBackups({folder: from, version: '1', clock: systemClock});
    writeFileSync(file, await buffer((await backups.open()).content));
    const args = [join(import.meta.dirname, 'restorer.ts'), file, folder];
    const killed = new StartedProcess(process.execPath, args, {env: COMPILED});
    await killed.printed(new RegExp(step));
    killed.child.kill('SIGKILL');
    await killed.ended();
    if (existsSync(join(folder, RESTORE_MARK))) {
      await expect(prepareDataFolder(folder)).rejects.toThrow(/half way through a restore/);
    } else {
      expect([SAVED, THERE]).toContain(await soundTags(folder));
    }
    const again = new StartedProcess(process.execPath, args, {env: COMPILED});
    expect(await again.ended(), again.stderr).toBe(0);
    expect(await soundTags(folder)).toBe(SAVED);
    expect(readdirSync(folder).filter(name => name.startsWith('restore'))).toEqual([]);
  },
);
