import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import type {ServiceFamily} from '../bench.ts';
import {ROLES} from '../data-sets/data-set.ts';
import {copyService, deviceId, devicesOf} from '../data-sets/service-set.ts';
import {median} from '../measure.ts';
import {Served} from '../served.ts';
import {residentBytes} from './start.ts';

const MINUTES = Number(process.env.BENCH_SOAK_MINUTES ?? 10);
const CLIENTS = 8;
const SAMPLE_MILLIS = 5_000;
const KEY = 'bench-key-of-the-admin';

/** Clients that read, write, branch and merge for minutes on end: memory must not grow with what was done. */
export const soak: ServiceFamily = {
  name: 'soak',
  on: 'service',
  isLong: true,
  async run(bench) {
    const folder = join(bench.folder, 'soak');
    await copyService(bench.size, folder);
    const served = await Served.start('src/main/serve.ts', {
      SERVICE_PORT: '0',
      SERVICE_DATA_DIR: folder,
      SERVICE_INITIAL_ADMIN_TOKEN: KEY,
      SERVICE_LOG_LEVEL: 'WARNING',
    });
    const until = performance.now() + MINUTES * 60_000;
    const memory: number[] = [];
    let requests = 0;
    try {
      const clients = Array.from({length: CLIENTS}, async (_, client) => {
        for (let round = 0; performance.now() < until; round += 1) {
          await step(served.address, bench.size, client, round);
          requests += 1;
        }
      });
      while (performance.now() < until) {
        await wait(SAMPLE_MILLIS);
        memory.push(residentBytes(served.pid));
      }
      await Promise.all(clients);
    } finally {
      await served.stop();
    }
    const third = Math.floor(memory.length / 3);
    return [
      {name: 'soak, requests', unit: 'perSecond', value: requests / (MINUTES * 60)},
      {
        name: 'soak, memory in the second third',
        unit: 'bytes',
        value: median(memory.slice(third, 2 * third)),
      },
      {name: 'soak, memory in the last third', unit: 'bytes', value: median(memory.slice(2 * third))},
    ];
  },
};

async function step(address: string, size: number, client: number, round: number): Promise<void> {
  const ask = async (query: string, branch = 'main'): Promise<void> => {
    const answer = await fetch(`${address}/graphql/${branch}`, {
      method: 'POST',
      headers: {'content-type': 'application/json', 'x-api-key': KEY},
      body: JSON.stringify({query}),
    });
    const text = await answer.text();
    if (text.includes('"errors"')) throw new Error(`${query}: ${text.slice(0, 500)}`);
  };
  const update = (branch?: string) => {
    const id = deviceId((client + CLIENTS * round) % devicesOf(size));
    return ask(
      `mutation { BenchDeviceUpdate(data: {id: "${id}", description: {value: "${client} ${round}"}}) { ok } }`,
      branch,
    );
  };
  if (round % 200 === 199) {
    const branch = `soak-${client}-${round}`;
    const named = (verb: string) => ask(`mutation { ${verb}(data: {name: "${branch}"}) { ok } }`);
    await named('BranchCreate');
    await update(branch);
    await named('BranchMerge');
    await named('BranchDelete');
  } else if (round % 5 === 4) await update();
  else
    await ask(
      `{ BenchDevice(role__value: "${ROLES[round % ROLES.length]}", limit: 50) { edges { node { id name { value } } } } }`,
    );
}
