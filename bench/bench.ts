import {constants, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {systemClock} from '../src/adapters/clock/system-clock.ts';
import {databasePath} from '../src/adapters/sqlite/data-file.ts';
import type {SqliteGraphStore} from '../src/adapters/sqlite/sqlite-graph-store.ts';
import {openSqliteGraphStore} from '../src/adapters/sqlite/sqlite-graph-store.ts';
import type {Built} from './data-sets/build.ts';
import {CACHE} from './data-sets/build.ts';
import type {DataSet} from './data-sets/data-set.ts';
import type {Figure} from './measure.ts';

interface Named {
  readonly name: string;
  /** It takes minutes, and runs only when it is named. */
  readonly isLong?: true;
}

/** Operations of the store, on each data set in each size. */
export interface StoreFamily extends Named {
  readonly on: 'data set';
  run(bench: Bench): Promise<readonly Figure[]>;
}

/** Operations of a whole service with so many objects; or, on nothing, such that objects mean nothing to. */
export interface ServiceFamily extends Named {
  readonly on: 'service' | 'nothing';
  run(place: Workplace): Promise<readonly Figure[]>;
}

/** Operations that belong together, measured beside their limits. */
export type Family = StoreFamily | ServiceFamily;

/** A folder to work in, gone when the work is done. */
export class Workplace {
  readonly size: number;
  readonly folder: string;

  constructor(size: number) {
    this.size = size;
    this.folder = join(CACHE, `work-${process.pid}`);
    for (const name of leftBehind()) rmSync(join(CACHE, name), {recursive: true, force: true});
    mkdirSync(this.folder, {recursive: true});
  }

  close(): void {
    rmSync(this.folder, {recursive: true, force: true});
  }
}

/** Folders of this run, and of runs that were ended before they could clean up. */
function leftBehind(): readonly string[] {
  if (!existsSync(CACHE)) return [];
  return readdirSync(CACHE).filter(name => {
    const pid = Number(/^work-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
    return pid === process.pid || (Number.isInteger(pid) && !isRunning(pid));
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** One data set of one size, on a copy that operations may write to. */
export class Bench extends Workplace {
  readonly data: DataSet;
  readonly built: Built;

  constructor(data: DataSet, size: number, built: Built) {
    super(size);
    this.data = data;
    this.built = built;
    copyFileSync(databasePath(built.folder), databasePath(this.folder), constants.COPYFILE_FICLONE);
  }

  /** Without read workers the whole cost of an answer falls on the thread that measures it. */
  open(readWorkers = 0): Promise<SqliteGraphStore> {
    return openSqliteGraphStore({folder: this.folder, clock: systemClock, readWorkers});
  }

  /** A second copy, for writes without the store. */
  rawCopy(): string {
    const path = join(this.folder, 'raw.db');
    if (!existsSync(path)) {
      copyFileSync(databasePath(this.built.folder), path, constants.COPYFILE_FICLONE);
    }
    return path;
  }
}
