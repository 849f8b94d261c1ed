import {createHash} from 'node:crypto';
import {constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {timeOrderedIds} from '../../src/adapters/ids/time-ordered-ids.ts';
import {ThreadedPlanner} from '../../src/adapters/schema-planner/threaded-planner.ts';
import {FORMAT, TABLES} from '../../src/adapters/sql/tables.ts';
import {databasePath} from '../../src/adapters/sqlite/data-file.ts';
import {openSqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {prepareGraph} from '../../src/app/first-start/prepare-graph.ts';
import {loadSchema} from '../../src/app/schema/load-schema.ts';
import {processedSchemas} from '../../src/app/schema/processed-schemas.ts';
import {FULL_ACCESS} from '../../src/domain/access/access.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import {chosen, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import {CACHE} from './build.ts';
import {idOf, nameOf, ROLES, STATUSES, sentence} from './data-set.ts';

/*
 * A whole service: the built-in kinds, a schema loaded as users load one, and objects of it. Groups of one site, ten
 * devices and eleven interfaces of each device.
 */
export const CALLER = {account: null, access: FULL_ACCESS};

const GENERATOR_VERSION = 1;
const DEVICES_PER_SITE = 10;
const INTERFACES_PER_DEVICE = 11;
const GROUP = 1 + DEVICES_PER_SITE * (1 + INTERFACES_PER_DEVICE);
const GROUPS_PER_COMMIT = 20;
const VERSIONS = 5;
const INTERFACE_IDS = 50_000_000;
const SITE_IDS = 90_000_000;

const SCHEMA = {
  version: '1.0',
  nodes: [
    {
      namespace: 'Bench',
      name: 'Site',
      display_labels: ['name__value'],
      human_friendly_id: ['name__value'],
      order_by: ['name__value'],
      attributes: [{name: 'name', kind: 'Text', unique: true}],
      relationships: [
        {
          name: 'devices',
          peer: 'BenchDevice',
          cardinality: 'many',
          identifier: 'device__site',
          optional: true,
        },
      ],
    },
    {
      namespace: 'Bench',
      name: 'Device',
      display_labels: ['name__value'],
      human_friendly_id: ['name__value'],
      order_by: ['name__value'],
      attributes: [
        {name: 'name', kind: 'Text', unique: true},
        {name: 'status', kind: 'Dropdown', choices: STATUSES.map(name => ({name})), optional: true},
        {name: 'role', kind: 'Dropdown', choices: ROLES.map(name => ({name})), optional: true},
        {name: 'serial', kind: 'Text', optional: true},
        {name: 'position', kind: 'Number', optional: true},
        {name: 'description', kind: 'Text', optional: true},
      ],
      relationships: [
        {name: 'site', peer: 'BenchSite', cardinality: 'one', identifier: 'device__site', optional: true},
        {
          name: 'interfaces',
          peer: 'BenchInterface',
          cardinality: 'many',
          kind: 'Component',
          identifier: 'device__interface',
          optional: true,
        },
      ],
    },
    {
      namespace: 'Bench',
      name: 'Interface',
      display_labels: ['name__value'],
      order_by: ['name__value'],
      uniqueness_constraints: [['device', 'name__value']],
      attributes: [
        {name: 'name', kind: 'Text'},
        {name: 'speed', kind: 'Number', optional: true},
        {name: 'enabled', kind: 'Boolean', default_value: true},
      ],
      relationships: [
        {
          name: 'device',
          peer: 'BenchDevice',
          cardinality: 'one',
          kind: 'Parent',
          identifier: 'device__interface',
          optional: false,
        },
      ],
    },
  ],
};

const groupsOf = (size: number): number => Math.max(1, Math.floor(size / GROUP));
export const devicesOf = (size: number): number => groupsOf(size) * DEVICES_PER_SITE;
export const sitesOf = groupsOf;
export const deviceId = (index: number): NodeId => idOf(index);
export const siteId = (index: number): NodeId => idOf(SITE_IDS + index);
export const siteName = (index: number): string => nameOf(SITE_IDS + index);
export const siteOf = (device: number): NodeId => siteId(Math.floor(device / DEVICES_PER_SITE));

/** The objects of a set by number, for whoever keeps them. */
export const siteAt = (group: number) => ({id: siteId(group), values: {name: siteName(group)}});

export function devicesAt(group: number) {
  return Array.from({length: DEVICES_PER_SITE}, (_, place) => {
    const index = group * DEVICES_PER_SITE + place;
    return {
      index,
      id: deviceId(index),
      values: {
        name: nameOf(index),
        status: STATUSES[index % STATUSES.length]!,
        role: ROLES[index % ROLES.length]!,
        serial: `S${index}`,
        position: index % 48,
        description: sentence(index, 6),
      },
    };
  });
}

export const interfacesOf = ({index}: {readonly index: number}) =>
  Array.from({length: INTERFACES_PER_DEVICE}, (_, port) => ({
    id: idOf(INTERFACE_IDS + index * INTERFACES_PER_DEVICE + port),
    values: {name: `eth${port}`, speed: 1000 * (1 + (port % 4)), enabled: port % 3 > 0},
  }));

export type BenchService = Awaited<ReturnType<typeof openService>>;

/** The verbs of the service on a data folder, without a server. */
export async function openService(folder: string, readWorkers = 1) {
  const store = await openSqliteGraphStore({folder, clock: systemClock, readWorkers});
  const planner = new ThreadedPlanner();
  const close = async () => {
    await planner.close();
    await store.close();
  };
  const ids = timeOrderedIds(systemClock);
  return {store, merges: store, planner, schemas: processedSchemas(), ids, close};
}

/** A copy of the set of that size in `folder`, made first when it is not there. */
export async function copyService(size: number, folder: string): Promise<void> {
  const layout = createHash('sha256')
    .update(`${FORMAT} ${TABLES.join()} ${JSON.stringify(SCHEMA)}`)
    .digest('hex');
  const built = join(CACHE, `service-${size}-v${GENERATOR_VERSION}-${layout.slice(0, 8)}`);
  const manifest = join(built, 'built');
  if (!existsSync(manifest)) {
    const draft = `${built}.draft`;
    rmSync(draft, {recursive: true, force: true});
    mkdirSync(draft, {recursive: true});
    await build(size, draft);
    writeFileSync(join(draft, 'built'), '');
    rmSync(built, {recursive: true, force: true});
    renameSync(draft, built);
  }
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  copyFileSync(databasePath(built), databasePath(folder), constants.COPYFILE_FICLONE);
}

async function build(size: number, folder: string): Promise<void> {
  const service = await openService(folder, 0);
  const {store} = service;
  await prepareGraph(service);
  await loadSchema(service, CALLER, {branch: MAIN, payload: [SCHEMA]});
  const groups = groupsOf(size);
  for (let from = 0; from < groups; from += GROUPS_PER_COMMIT) {
    await store.write(MAIN, SERVICE, async draft => {
      for (let group = from; group < Math.min(groups, from + GROUPS_PER_COMMIT); group += 1) {
        const {id, values} = siteAt(group);
        await draft.create({id, kind: 'BenchSite', attributes: chosen(values)});
        for (const device of devicesAt(group)) {
          await draft.create({id: device.id, kind: 'BenchDevice', attributes: chosen(device.values)});
          await draft.link({node: device.id, relationship: 'site', peer: id});
          for (const port of interfacesOf(device)) {
            await draft.create({id: port.id, kind: 'BenchInterface', attributes: chosen(port.values)});
            await draft.link({node: port.id, relationship: 'device', peer: device.id});
          }
        }
      }
    });
    process.stderr.write(
      `\rservice ${size}: ${Math.min(groups, from + GROUPS_PER_COMMIT) * GROUP} objects made`,
    );
  }
  process.stderr.write('\n');
  for (let version = 1; version < VERSIONS; version += 1) {
    await store.write(MAIN, SERVICE, async draft => {
      for (let device = 0; device < Math.min(devicesOf(size), 20_000); device += 10) {
        await draft.update(deviceId(device), chosen({description: `version ${version}`}));
      }
    });
  }
  await service.close();
}
