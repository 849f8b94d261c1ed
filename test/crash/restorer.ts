import {createReadStream} from 'node:fs';
import process from 'node:process';
import {restoreBackup} from '../../src/adapters/backup/restore-backup.ts';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';

// Restores a backup over a folder, and tells of each step as it begins.

const [file, folder] = process.argv.slice(2) as [string, string];
await restoreBackup({
  chunks: createReadStream(file),
  folder,
  clock: systemClock,
  force: true,
  onStep: step => void process.stdout.write(`${step}\n`),
});
process.stdout.write('restored\n');
