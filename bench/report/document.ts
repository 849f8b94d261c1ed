import {load, machine} from './machine.ts';
import type {Measured} from './report.ts';
import {designTable, setTables} from './report.ts';

/** The page in docs/, made from what was just measured. */
export function document(measured: readonly Measured[], loadBefore: string, command: string): string {
  const design = designTable(measured);
  const parts = [
    '# Benchmarks',
    `Written by \`${command}\`; run it to get the same tables for your machine. Data sets are made once and kept under \`node_modules/.cache/trellis-bench\`.`,
    `Measured on ${machine()}. Load of the machine before and after: ${loadBefore} and ${load()}.`,
    HOW_TO_READ,
    ...(design === undefined ? [] : ['## Beside the prototype of the layout', PROTOTYPE, design]),
    ...measured.map(setTables),
  ];
  return `${parts.join('\n\n')}\n`;
}

const HOW_TO_READ = `How to read them: ratios carry the claims, absolute times are this machine's. *x limit* is the time
divided by that of the raw work it cannot do without, measured in the same run on the same rows: 1.00 would be free.
*exponent* is the fitted growth from the smallest to the largest size: 0 is flat, 1 grows with the data.

Every read opens its own snapshot. *known* means that the documents are in the cache; all other reads meet each
document for the first time, on a store that was just opened, with the file in the page cache of the system. *past*
reads the state before a fifth of the objects were changed twice; *branch* is one of five with 2,000 changes each.
Everything runs on one thread unless a row says otherwise. A write is timed until it is durable.`;

const PROTOTYPE = `The layout was chosen by a prototype without schema, metadata, checksums or a query language, on the
\`layout\` set with 200,000 objects, on another machine (2 cores, arm64, fdatasync about 70 µs).`;
