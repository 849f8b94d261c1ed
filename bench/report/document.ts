import {load, machine} from './machine.ts';
import {designTable, sectionText} from './report.ts';
import type {Section} from './section.ts';

export interface Circumstances {
  readonly command: string;
  readonly loadBefore: string;
  /** True when the thread's time on the processor was taken instead of the clock's. */
  readonly byProcessor: boolean;
}

/** The page in docs/, made from what was just measured. */
export function document(
  sections: readonly Section[],
  {command, loadBefore, byProcessor}: Circumstances,
): string {
  const design = designTable(sections);
  const parts = [
    '# Benchmarks',
    `Written by \`${command}\`; run it to get the same tables for your machine. Data sets are made once and kept under \`node_modules/.cache/trellis-bench\`.`,
    `Measured on ${machine()}. Load of the machine before and after: ${loadBefore} and ${load()}.`,
    ...(byProcessor ? [BY_PROCESSOR] : []),
    HOW_TO_READ,
    ...(design === undefined ? [] : ['## Beside the prototype of the layout', PROTOTYPE, design]),
    ...sections.map(sectionText),
  ];
  return `${parts.join('\n\n')}\n`;
}

const HOW_TO_READ = `How to read them: ratios carry the claims, absolute times are this machine's. *x limit* is the time
divided by that of the raw work it cannot do without, measured in the same run on the same rows: 1.00 would be free.
*exponent* is the fitted growth from the smallest to the largest size: 0 is flat, 1 grows with the data.

Every read opens its own snapshot. *known* means that the documents are in the cache; all other reads meet each
document for the first time, with the pages of the file mapped, as on a store that has been up for a while. *past* reads
the state before a fifth of the objects were changed twice; *branch* is one of five with 2,000 changes each.
Everything runs on one thread unless a row says otherwise. A write is timed until it is durable.`;

const BY_PROCESSOR = `Times are those of the measuring thread on the processor (but for single objects, which the
clock is needed for): the machine was busy with other work. They leave out waiting, for the disk and for other threads.`;

const PROTOTYPE = `The layout was chosen by a prototype without schema, metadata, checksums or a query language, on the
\`layout\` set with 200,000 objects, on another machine (2 cores, arm64, fdatasync about 70 µs).`;
