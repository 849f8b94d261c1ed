import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {CACHE} from '../data-sets/build.ts';
import {CONNECTIONS, KEY, prepareFolder, serve} from '../operations/http.ts';
import {type Question, questions} from '../operations/http-questions.ts';
import {load, Served} from '../served.ts';
import {type CpuProfile, foldProfile, selfTimes} from './cpu-profile.ts';
import {flameGraph} from './flame-graph.ts';
import {processorMicros} from './processor-time.ts';

const HELP = `node bench/profile/main.ts [questions] [--size 200000] [--seconds 2] [--self 30] [--flame file.svg]

What a request over HTTP takes on the processor, in all threads of the server, beside a bare server that sends as many bytes.
--self prints the functions that take most of it; --flame draws all of them, main thread first. Both need one question.`;

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    size: {type: 'string', default: '200000'},
    seconds: {type: 'string', default: '2'},
    self: {type: 'string', default: '0'},
    flame: {type: 'string'},
    help: {type: 'boolean', default: false},
  },
});

const headers = {'x-api-key': KEY};
/** The two servers take turns, so that a busy machine is busy for both; the first turn warms up. */
const ROUNDS = 4;

interface Cost {
  /** On the processor, for one request. */
  readonly micros: number;
  readonly perSecond: number;
}

async function costOf(server: Served, path: string, {bodies}: Question, seconds: number): Promise<Cost> {
  const before = processorMicros(server.pid);
  const asked = {url: `${server.address}${path}`, bodies, headers, connections: CONNECTIONS};
  const {perSecond, answered} = await load({...asked, seconds, warmUpSeconds: 0});
  return {micros: (processorMicros(server.pid) - before) / answered, perSecond};
}

/** Other programs only ever make it dearer. */
const least = (costs: readonly Cost[]): Cost => ({
  micros: Math.min(...costs.map(({micros}) => micros)),
  perSecond: Math.max(...costs.map(({perSecond}) => perSecond)),
});

async function main(): Promise<void> {
  if (values.help) return console.log(HELP);
  const size = Number(values.size);
  const seconds = Number(values.seconds);
  const isProfiled = values.flame !== undefined || values.self !== '0';
  const folder = join(CACHE, `profile-${process.pid}`);
  const past = await prepareFolder(join(folder, 'data'), size);
  const chosen = questions(size, past).filter(
    ({name}) => positionals.length === 0 || positionals.includes(name),
  );
  if (chosen.length === 0 || (isProfiled && chosen.length !== 1)) throw new Error(HELP);
  mkdirSync(join(folder, 'profiles'));
  const flags = isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${join(folder, 'profiles')}`] : [];
  const bare = await Served.start('bench/limits/bare-server.ts', {});
  const served = await serve(join(folder, 'data'), flags);
  try {
    for (const question of chosen) {
      const bytes = await bytesOf(served, question);
      const limits: Cost[] = [];
      const owns: Cost[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        limits.push(await costOf(bare, `/${bytes}`, question, isProfiled ? 1 : seconds));
        owns.push(await costOf(served, question.path, question, seconds));
      }
      console.log(line(question.name, least(owns.slice(1)), least(limits.slice(1))));
    }
  } finally {
    await served.stop();
    await bare.stop();
  }
  if (isProfiled) show(join(folder, 'profiles'), seconds);
  rmSync(folder, {recursive: true, force: true});
}

async function bytesOf(served: Served, {name, path, bodies}: Question): Promise<number> {
  const init = {
    method: 'POST',
    headers: {'content-type': 'application/json', ...headers},
    body: bodies[0] ?? '',
  };
  const answer = await (await fetch(`${served.address}${path}`, init)).text();
  if (answer.includes('"errors"')) throw new Error(`${name}: ${answer.slice(0, 500)}`);
  return Buffer.byteLength(answer);
}

function line(name: string, own: Cost, limit: Cost): string {
  const [micros, bare] = [own.micros, limit.micros].map(each => each.toFixed(0).padStart(6));
  const share = ((100 * own.perSecond) / limit.perSecond).toFixed(0);
  return `${name.padEnd(26)} ${micros} µs  bare ${bare} µs  ${own.perSecond.toFixed(0)}/s of ${limit.perSecond.toFixed(0)}/s (${share} %)`;
}

/** The last seconds of each thread's profile; what comes before is the start and the warming up. */
function show(folder: string, seconds: number): void {
  const threads = readdirSync(folder)
    .filter(name => name.endsWith('.cpuprofile'))
    .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile)
    .map(profile => foldProfile(profile, seconds * 1_000_000))
    .sort((a, b) => b.micros - a.micros);
  for (const {name, micros, share} of selfTimes(threads).slice(0, Number(values.self))) {
    console.log(
      `${(micros / 1000).toFixed(0).padStart(7)} ms ${(100 * share).toFixed(1).padStart(5)} %  ${name}`,
    );
  }
  if (values.flame !== undefined) writeFileSync(values.flame, flameGraph(threads));
}

await main();
