import {closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync} from 'node:fs';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import type {OrderPath} from '../../src/domain/graph/shape.ts';
import type {Instant} from '../../src/domain/time/instant.ts';

/** Three devices that are always written together: whoever finds them unequal has found half a commit. */
export interface Group {
  readonly name: string;
  readonly devices: readonly NodeId[];
}

/** What a writer knows to be durable, or, for a branch about to go, no longer knows to be there. */
export type Entry =
  | {
      readonly is: 'written';
      readonly branch: BranchName;
      readonly commit: Instant;
      readonly group: Group;
      /** What each device of the group says; null when the group was deleted. */
      readonly status: string | null;
      readonly tag: NodeId | null;
    }
  | {readonly is: 'branched'; readonly branch: BranchName; readonly forkedAt: Instant}
  | {readonly is: 'deleting'; readonly branch: BranchName}
  | {readonly is: 'deleted'; readonly branch: BranchName}
  | {readonly is: 'reshaped'; readonly commit: Instant; readonly orderBy: readonly OrderPath[]};

/** A file of acknowledged writes, each on the disk before the next step of whoever made it. */
export class Journal {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'a');
  }

  note(entry: Entry): void {
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The entries of a journal; what the kill cut off in the middle of a line was never noted. */
export function readJournal(path: string): readonly Entry[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map(line => JSON.parse(line) as Entry);
}
