import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {chooseClock, threadMicros} from './clock.ts';
import {compare, savedRuns} from './compare/compare.ts';
import {choosePace} from './pace.ts';
import {DATA_SETS, FAMILIES} from './registry.ts';
import {documents} from './report/document.ts';
import {load} from './report/machine.ts';
import {measureAll} from './run.ts';

const HELP = `npm run bench -- [names] [--sizes 20000,200000,1000000] [--data layout,network] [--cpu] [--seconds 3] [--write] [--compare main]

names: ${FAMILIES.map(family => family.name).join(', ')}
       all when none is given, but for those that take minutes (soak: BENCH_SOAK_MINUTES)
--sizes   numbers of objects; without it the store is measured with 20,000 and 200,000, the service with 200,000
--data    the data sets that the store is measured on (${DATA_SETS.map(data => data.name).join(', ')}); the first when it is not given
--cpu     takes the thread's time on the processor instead of the clock's: for reads on a busy machine
--write   puts tables and plots into docs/benchmarks.md, or into another page of docs/ that --page names
--seconds how long each figure is measured (1); 3 for figures that last
--save    adds the results to a JSON file
--compare measures the working tree and a git ref, or the results in a file, in turns (--repeats 5), prints what got
          slower by more than 10 % beyond the noise, and exits with 1 if anything did`;

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    sizes: {type: 'string'},
    data: {type: 'string', default: DATA_SETS[0]!.name},
    cpu: {type: 'boolean', default: false},
    write: {type: 'boolean', default: false},
    page: {type: 'string', default: 'benchmarks'},
    seconds: {type: 'string', default: '1'},
    save: {type: 'string'},
    compare: {type: 'string'},
    repeats: {type: 'string', default: '5'},
    help: {type: 'boolean', default: false},
  },
});

const DEFAULT_SIZES = {store: [20_000, 200_000], service: [200_000]};

function chosenFrom<T extends {readonly name: string}>(
  all: readonly T[],
  names: readonly string[],
): readonly T[] {
  const unknown = names.filter(name => !all.some(item => item.name === name));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}\n\n${HELP}`);
  return names.length === 0 ? all : all.filter(item => names.includes(item.name));
}

function number(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`"${text}" is not a number from 1 on\n\n${HELP}`);
  return value;
}

async function main(): Promise<void> {
  if (values.help) {
    console.log(HELP);
    return;
  }
  const named = chosenFrom(FAMILIES, positionals);
  const families = positionals.length === 0 ? named.filter(family => family.isLong !== true) : named;
  const sets = chosenFrom(DATA_SETS, values.data.split(','));
  if (values.compare !== undefined) {
    const given = values.sizes === undefined ? [] : ['--sizes', values.sizes];
    const args = [
      ...positionals,
      '--data',
      values.data,
      ...given,
      '--seconds',
      values.seconds,
      ...(values.cpu ? ['--cpu'] : []),
    ];
    const isGood = compare({with: values.compare, repeats: number(values.repeats), args});
    process.exitCode = isGood ? 0 : 1;
    return;
  }
  const sizes = values.sizes?.split(',').map(number);
  choosePace(number(values.seconds));
  if (values.cpu) chooseClock(threadMicros);
  const loadBefore = load();
  const sections = await measureAll({
    families,
    sets,
    sizes: sizes === undefined ? DEFAULT_SIZES : {store: sizes, service: sizes},
  });
  if (values.save !== undefined) {
    const before = existsSync(values.save) ? savedRuns(values.save) : [];
    writeFileSync(values.save, JSON.stringify([...before, sections]));
  }
  const {page} = values;
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ');
  const files = documents(sections, {command, loadBefore, byProcessor: values.cpu, page});
  console.log(files.get(`${page}.md`));
  if (!values.write) return;
  for (const [name, text] of files) writeFileSync(join(import.meta.dirname, '..', 'docs', name), text);
}

await main();
