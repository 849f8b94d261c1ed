import {closeSync, fdatasyncSync, openSync, rmSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {timedSync} from '../measure.ts';

const PAGE_BYTES = 4096;
const PAGES = 256;

/** One page written and made durable. */
export function syncOnePage(folder: string): readonly number[] {
  const path = join(folder, 'page');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(PAGE_BYTES, 7);
  // The file has its full length before the clock starts, so that no sync carries its growth.
  for (let place = 0; place < PAGES; place += 1) writeSync(file, page, 0, PAGE_BYTES, place * PAGE_BYTES);
  fdatasyncSync(file);
  const samples = timedSync(
    round => {
      writeSync(file, page, 0, PAGE_BYTES, (round % PAGES) * PAGE_BYTES);
      fdatasyncSync(file);
    },
    {roundsMax: 1_000},
  );
  closeSync(file);
  rmSync(path);
  return samples;
}
