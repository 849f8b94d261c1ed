import {closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync} from 'node:fs';

/** What a client of a service was told, on the disk before it goes on. */
export type Told =
  /** All things of the group are on the branch. */
  | {readonly is: 'imported'; readonly branch: string; readonly group: string}
  | {readonly is: 'merged'; readonly branch: string; readonly groups: readonly string[]}
  | {readonly is: 'deleting'; readonly branch: string}
  | {readonly is: 'loaded'; readonly attribute: string}
  /** Everything that was told before the backup began is in it. */
  | {readonly is: 'saved'; readonly file: string; readonly toldBefore: number};

export class ToldJournal {
  readonly #file: number;
  count = 0;

  constructor(path: string) {
    this.count = readTold(path).length;
    this.#file = openSync(path, 'a');
  }

  note(told: Told): void {
    writeSync(this.#file, `${JSON.stringify(told)}\n`);
    fsyncSync(this.#file);
    this.count += 1;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** What the kill cut off in the middle of a line was never told. */
export function readTold(path: string): readonly Told[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map(line => JSON.parse(line) as Told);
}
