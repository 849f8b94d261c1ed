import {constants, copyFileSync, existsSync, mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {systemClock} from '../src/adapters/clock/system-clock.ts';
import {databasePath} from '../src/adapters/sqlite/data-file.ts';
import type {SqliteGraphStore} from '../src/adapters/sqlite/sqlite-graph-store.ts';
import {openSqliteGraphStore} from '../src/adapters/sqlite/sqlite-graph-store.ts';
import type {Built} from './data-sets/build.ts';
import {CACHE} from './data-sets/build.ts';
import type {DataSet} from './data-sets/data-set.ts';
import type {Figure} from './measure.ts';

/** Operations that belong together, measured beside their limits. */
export interface Family {
  readonly name: string;
  /** It takes minutes, and runs only when it is named. */
  readonly isLong?: true;
  run(bench: Bench): Promise<readonly Figure[]>;
}

/** One data set of one size, on a copy that operations may write to. */
export class Bench {
  readonly data: DataSet;
  readonly size: number;
  readonly built: Built;
  readonly folder: string;

  constructor(data: DataSet, size: number, built: Built) {
    this.data = data;
    this.size = size;
    this.built = built;
    this.folder = join(CACHE, `work-${process.pid}`);
    rmSync(this.folder, {recursive: true, force: true});
    mkdirSync(this.folder, {recursive: true});
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

  close(): void {
    rmSync(this.folder, {recursive: true, force: true});
  }
}
