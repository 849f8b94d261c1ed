import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import type {ServiceFamily} from '../bench.ts';
import {copyService} from '../data-sets/service-set.ts';
import {type Figure, median} from '../measure.ts';
import {Served} from '../served.ts';

const ROUNDS = 5;
const KIBIBYTE = 1024;

/** From the start of the process until it says that it is healthy, and what it then needs to do nothing. */
export const start: ServiceFamily = {
  name: 'start',
  on: 'service',
  async run(bench) {
    const folder = join(bench.folder, 'start');
    const empty = await starts('empty folder', () => {
      rmSync(folder, {recursive: true, force: true});
      mkdirSync(folder, {recursive: true});
      return Promise.resolve(folder);
    });
    await copyService(bench.size, folder);
    return [...empty, ...(await starts('folder with all objects', async () => folder))];
  },
};

async function starts(name: string, folder: () => Promise<string>): Promise<readonly Figure[]> {
  const micros: number[] = [];
  const bytes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const env = {
      SERVICE_PORT: '0',
      SERVICE_DATA_DIR: await folder(),
      SERVICE_LOG_LEVEL: 'WARNING',
      NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compile'),
    };
    const begun = performance.now();
    const served = await Served.start('src/main/serve.ts', env);
    while ((await fetch(`${served.address}/api/health`)).status !== 200);
    micros.push((performance.now() - begun) * 1000);
    bytes.push(residentBytes(served.pid));
    await served.stop();
  }
  return [
    {name: `start to healthy, ${name}`, unit: 'micros', value: median(micros)},
    {name: `memory at rest, ${name}`, unit: 'bytes', value: median(bytes)},
  ];
}

/** What the process has in memory, as the system sees it. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * KIBIBYTE;
}
