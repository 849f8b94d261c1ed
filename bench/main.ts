import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {chooseClock, threadMicros} from './clock.ts';
import {DATA_SETS, FAMILIES} from './registry.ts';
import {document} from './report/document.ts';
import {load} from './report/machine.ts';
import {measureAll} from './run.ts';

const HELP = `npm run bench -- [names] [--sizes 20000,200000,1000000] [--data layout,network] [--cpu] [--write] [--page benchmarks]

names: ${FAMILIES.map(family => family.name).join(', ')}; all when none is given, but for those that take minutes (soak: BENCH_SOAK_MINUTES)
--cpu takes the thread's time on the processor instead of the clock's: for reads on a busy machine
--write puts the tables into docs/benchmarks.md, or into another page of docs/ that --page names`;

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    sizes: {type: 'string', default: '20000,200000,1000000'},
    data: {type: 'string', default: DATA_SETS.map(data => data.name).join()},
    cpu: {type: 'boolean', default: false},
    write: {type: 'boolean', default: false},
    page: {type: 'string', default: 'benchmarks'},
    help: {type: 'boolean', default: false},
  },
});

function chosenFrom<T extends {readonly name: string}>(
  all: readonly T[],
  names: readonly string[],
): readonly T[] {
  const unknown = names.filter(name => !all.some(item => item.name === name));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}\n\n${HELP}`);
  return names.length === 0 ? all : all.filter(item => names.includes(item.name));
}

async function main(): Promise<void> {
  if (values.help) {
    console.log(HELP);
    return;
  }
  const named = chosenFrom(FAMILIES, positionals);
  const families = positionals.length === 0 ? named.filter(family => family.isLong !== true) : named;
  const sets = chosenFrom(DATA_SETS, values.data.split(','));
  const sizes = values.sizes.split(',').map(Number);
  if (values.cpu) chooseClock(threadMicros);
  const loadBefore = load();
  const sections = await measureAll({families, sets, sizes});
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ');
  const text = document(sections, {command, loadBefore, byProcessor: values.cpu});
  console.log(text);
  if (values.write) writeFileSync(join(import.meta.dirname, '..', 'docs', `${values.page}.md`), text);
}

await main();
