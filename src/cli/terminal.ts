import {SingleBar} from 'cli-progress';

/** Where a command says what it did. Results go to standard output, everything else to standard error. */
export interface Terminal {
  readonly isJson: boolean;
  /** The result: as JSON for programs, as `text` for people. */
  result(value: unknown, text: () => string): void;
  note(text: string): void;
  /** A bar while something long runs, where a person watches. */
  progress(label: string, total: number): Progress;
}

export interface Progress {
  add(amount: number): void;
  stop(): void;
}

const SILENT: Progress = {add() {}, stop() {}};

export function openTerminal(isJson: boolean): Terminal {
  return {
    isJson,
    result(value, text) {
      process.stdout.write(isJson ? `${JSON.stringify(value, null, 2)}\n` : `${text()}\n`);
    },
    note: text => void process.stderr.write(`${text}\n`),
    progress(label, total) {
      if (isJson || !process.stderr.isTTY) return SILENT;
      const bar = new SingleBar({
        stream: process.stderr,
        format: `${label} {bar} {percentage}% {eta_formatted}`,
        barCompleteChar: '█',
        barIncompleteChar: '░',
        hideCursor: true,
      });
      bar.start(Math.max(1, total), 0);
      return {add: amount => bar.increment(amount), stop: () => bar.stop()};
    },
  };
}

/** Columns as wide as what is in them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, place) =>
    Math.max(title.length, ...rows.map(row => (row[place] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, place) => cell.padEnd(widths[place]!))
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)].join('\n');
}
