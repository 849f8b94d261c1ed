import {load, machine} from './machine.ts';
import {growthPlot} from './plots/growth-plot.ts';
import {limitsPlot} from './plots/limits-plot.ts';
import {peersPlot} from './plots/peers-plot.ts';
import {designTable, sectionText} from './report.ts';
import type {Section} from './section.ts';
import {targetsTable} from './targets.ts';

export interface Circumstances {
  readonly command: string;
  readonly loadBefore: string;
  /** True when the thread's time on the processor was taken instead of the clock's. */
  readonly byProcessor: boolean;
  /** The name that the page and its plots share. */
  readonly page: string;
}

/** The files in docs/, by name, made from what was just measured: the page and its plots. */
export function documents(
  sections: readonly Section[],
  {command, loadBefore, byProcessor, page}: Circumstances,
): ReadonlyMap<string, string> {
  const targets = targetsTable(sections);
  const design = designTable(sections);
  const plots = PLOTS.flatMap(({name, words, draw}) => {
    const drawn = draw(sections);
    return drawn === undefined ? [] : [{file: `${page}-${name}.svg`, words, drawn}];
  });
  const parts = [
    '# Benchmarks',
    `Written by \`${command}\`; run it to get the same tables for your machine. Data sets are made once and kept under \`node_modules/.cache/trellis-bench\`. How to measure and to compare: [benchmarking.md](benchmarking.md).`,
    `Measured on ${machine()}. Load of the machine before and after: ${loadBefore} and ${load()}.`,
    ...(byProcessor ? [BY_PROCESSOR] : []),
    HOW_TO_READ,
    ...(targets === undefined ? [] : ['## Targets', targets]),
    ...plots.map(({file, words}) => `![${words}](${file})`),
    ...(design === undefined ? [] : ['## Beside the prototype of the layout', PROTOTYPE, design]),
    ...sections.map(sectionText),
  ];
  return new Map([
    [`${page}.md`, `${parts.join('\n\n')}\n`],
    ...plots.map(({file, drawn}) => [file, drawn] as const),
  ]);
}

const PLOTS = [
  {name: 'limits', words: 'How many times its limit each operation takes', draw: limitsPlot},
  {name: 'peers', words: 'Answers per second beside the peers', draw: peersPlot},
  {name: 'growth', words: 'How the time of each operation grows with the data', draw: growthPlot},
] as const;

const HOW_TO_READ = `How to read them: ratios carry the claims, absolute times are this machine's. *x limit* is the time
divided by that of the raw work it cannot do without, measured in the same run on the same rows: 1.00 would be free.
*exponent* is the fitted growth from the smallest to the largest size: 0 is flat, 1 grows with the data.

Every read opens its own snapshot. *known* means that the same was asked before and nothing was
written since, *documents known* that something was, elsewhere; all other
reads of the store meet each document for the first time, with the pages of the file mapped, as on a store that has been
up for a while. Over HTTP a few hundred questions come again and again, as from many users of the same pages; rows *with
writes* ask them while somebody writes 20 times a second, so that no answer stays right for longer than 50 ms. *past* reads
the state before a fifth of the objects were changed twice; *branch* is one of five with 2,000 changes each.
Everything runs on one thread unless a row says otherwise. A write is timed until it is durable. Over HTTP the clients
run on the same machine, and take their share of it.`;

const BY_PROCESSOR = `Times are those of the measuring thread on the processor (but for single objects, which the
clock is needed for), and over HTTP those of the server for each answer: the machine was busy with other work. They leave
out waiting, for the disk and for other threads.`;

const PROTOTYPE = `The layout was chosen by a prototype without schema, metadata, checksums or a query language, on the
\`layout\` set with 200,000 objects, on another machine (2 cores, arm64, fdatasync about 70 µs).`;
