import {join} from 'node:path';
import {formatInstant} from '../../src/domain/time/instant.ts';
import {branchName, chosen, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import type {ServiceFamily} from '../bench.ts';
import {ROLES} from '../data-sets/data-set.ts';
import {scatter} from '../data-sets/scatter.ts';
import {copyService, deviceId, devicesOf, openService, siteName, sitesOf} from '../data-sets/service-set.ts';
import type {Figure} from '../measure.ts';
import {time, timed} from '../measure.ts';
import {load, Served} from '../served.ts';

export const KEY = 'bench-key-of-the-admin';
export const CONNECTIONS = 8;
const SIX =
  'name { value } status { value } role { value } serial { value } position { value } description { value }';

export interface Question {
  readonly name: string;
  readonly path: string;
  readonly bodies: readonly string[];
}

const text = (query: string, variables: object = {}): string => JSON.stringify({query, variables});

export function questions(size: number, past: string): readonly Question[] {
  const devices = devicesOf(size);
  const point = (place: number) => [deviceId(scatter(place, 9) % devices)];
  const many = <T>(body: (place: number) => T) => Array.from({length: 200}, (_, place) => body(place));
  const byId = `query ($ids: [ID]) { BenchDevice(ids: $ids) { edges { node { id display_label ${SIX} } } } }`;
  const list = `query ($role: String) { BenchDevice(role__value: $role, limit: 50) { edges { node { id ${SIX} } } } }`;
  const nested = `query ($role: String) { BenchDevice(role__value: $role, limit: 50) { edges { node { id ${SIX}
    site { node { id name { value } } }
    interfaces(limit: 10) { edges { node { id name { value } speed { value } } } } } } } }`;
  const thousand = `{ BenchDevice(limit: 1000) { edges { node { id ${SIX}
    interfaces(limit: 10) { edges { node { id name { value } speed { value } } } } } } } }`;
  const count = 'query ($role: String) { BenchDevice(role__value: $role) { count } }';
  const through = `query ($name: String) {
    BenchInterface(where: {device: {site: {name: {value: $name}}}}, limit: 50) { edges { node { id } } } }`;
  const role = (place: number) => ({role: ROLES[place % ROLES.length]});
  return [
    {name: 'node by id', path: '/graphql', bodies: many(place => text(byId, {ids: point(place)}))},
    {name: 'list of 50', path: '/graphql', bodies: many(place => text(list, role(place)))},
    {name: 'list of 50, branch', path: '/graphql/work', bodies: many(place => text(list, role(place)))},
    {
      name: 'list of 50, past',
      path: `/graphql?at=${encodeURIComponent(past)}`,
      bodies: many(place => text(list, role(place))),
    },
    {name: '50 x 1 x 10', path: '/graphql', bodies: many(place => text(nested, role(place)))},
    {name: '1,000 x 10', path: '/graphql', bodies: [text(thousand)]},
    {name: 'count by an indexed value', path: '/graphql', bodies: many(place => text(count, role(place)))},
    {
      name: 'through two relationships',
      path: '/graphql',
      bodies: many(place => text(through, {name: siteName(scatter(place, 8) % sitesOf(size))})),
    },
  ];
}

/** What clients see: GraphQL over kept-alive HTTP, beside a bare server that sends as many bytes. */
export const http: ServiceFamily = {
  name: 'http',
  on: 'service',
  async run(bench) {
    const folder = join(bench.folder, 'http');
    const past = await prepareFolder(folder, bench.size);
    const bare = await Served.start('bench/limits/bare-server.ts', {});
    const served = await serve(folder);
    const headers = {'x-api-key': KEY};
    const figures: Figure[] = [];
    try {
      for (const {name, path, bodies} of questions(bench.size, past)) {
        const url = `${served.address}${path}`;
        const [first = ''] = bodies;
        const init = {method: 'POST', headers: {'content-type': 'application/json', ...headers}, body: first};
        const answer = await (await fetch(url, init)).text();
        if (answer.includes('"errors"')) throw new Error(`${name}: ${answer.slice(0, 500)}`);
        const bytes = Buffer.byteLength(answer);
        const same = {bodies, headers, connections: CONNECTIONS};
        const limit = await load({...same, url: `${bare.address}/${bytes}`});
        const {perSecond} = await load({...same, url});
        const alone = await timed(async round => {
          const body = bodies[round % bodies.length]!;
          await (await fetch(url, {...init, body})).text();
        });
        const bareName = `bare reply of ${bytes.toLocaleString('en')} bytes: ${name}`;
        figures.push(
          {name: bareName, unit: 'perSecond', value: limit.perSecond, isLimit: true},
          {
            name: `HTTP, ${name}, ${CONNECTIONS} clients`,
            unit: 'perSecond',
            value: perSecond,
            limits: [bareName],
          },
          time(`HTTP, ${name}, one client`, alone),
        );
      }
    } finally {
      await served.stop();
      await bare.stop();
    }
    return figures;
  },
};

export const serve = (folder: string, flags: readonly string[] = []): Promise<Served> =>
  Served.start(
    'src/main/serve.ts',
    {
      SERVICE_PORT: '0',
      SERVICE_DATA_DIR: folder,
      SERVICE_INITIAL_ADMIN_TOKEN: KEY,
      SERVICE_LOG_LEVEL: 'WARNING',
    },
    flags,
  );

/** A folder with everything that the questions ask for; answers an instant before its last changes. */
export async function prepareFolder(folder: string, size: number): Promise<string> {
  await copyService(size, folder);
  return addBranch(folder, size);
}

/** A branch with a few hundred changes, to be read from, and some on main; answers an instant before them. */
async function addBranch(folder: string, size: number): Promise<string> {
  const {store, close} = await openService(folder, 0);
  const past = formatInstant(store.now());
  const name = branchName('work');
  await store.createBranch({name, origin: MAIN, description: '', syncWithGit: false}, SERVICE);
  for (const [salt, branch] of [name, MAIN].entries()) {
    await store.write(branch, SERVICE, async draft => {
      for (let place = 0; place < Math.min(500, devicesOf(size)); place += 1) {
        const device = scatter(place, 77 + salt) % devicesOf(size);
        await draft.update(deviceId(device), chosen({description: `on ${branch} ${place}`}));
      }
    });
  }
  await close();
  return past;
}
