import {ROLES} from '../data-sets/data-set.ts';
import {scatter} from '../data-sets/scatter.ts';
import {deviceId, devicesOf, siteId, siteName, sitesOf} from '../data-sets/service-set.ts';

/** What is sent for one question: to which path, with which body. */
export interface Sent {
  readonly path: string;
  readonly body: string;
}

export type Dialect = 'trellis' | 'postgraphile' | 'directus' | 'sql';

/** One question, put to each program in its own words; the answers have the same objects with the same values. */
export interface PeerQuestion {
  readonly name: string;
  readonly clients: number;
  /** How many objects an answer has, all levels together. */
  readonly objects: number;
  /** The question for the n-th time. A write gives each time other values. */
  readonly ask: Readonly<Record<Dialect, (serial: number) => Sent>>;
  /** True when a question must not be asked twice. */
  readonly isWrite?: true;
  /** A write that somebody else makes now and then while the question is asked. */
  readonly meanwhile?: PeerQuestion;
}

const CLIENTS = 8;
const MANY = 32;
/** For answers of a megabyte. */
const FEW = 2;

const graphql = (query: string, variables: object = {}): Sent => ({
  path: '/graphql',
  body: JSON.stringify({query, variables}),
});
const sql = (name: string, values: object = {}): Sent => ({path: `/${name}`, body: JSON.stringify(values)});

const OURS =
  'id name { value } status { value } role { value } serial { value } position { value } description { value }';
const OUR_PORTS = 'interfaces(limit: 10) { edges { node { id name { value } speed { value } } } }';
const POSTGRAPHILE = 'id: rowId name status role serial position description';
const POSTGRAPHILE_PORTS =
  'interfaces: interfacesByDeviceId(first: 10, orderBy: NAME_ASC) { nodes { id: rowId name speed } }';
const DIRECTUS = 'id name status role serial position description';
const DIRECTUS_PORTS = 'interfaces(limit: 10, sort: ["name"]) { id name speed }';

/** The questions to a set of that size. */
export function peerQuestions(size: number): readonly PeerQuestion[] {
  const all = questionsOf(size);
  const meanwhile = all.at(-1)!;
  return all.flatMap(question =>
    DISTURBED.includes(question.name)
      ? [question, {...question, name: `${question.name}, with writes`, meanwhile}]
      : [question],
  );
}

const LEVELS = 'three levels, 5 x 10 x 10';
const POINT = 'point read';
const LIST = 'list of 50, filter and order';
const COUNT = 'count by an indexed value';
/** Those asked again while somebody writes, so that nobody can answer from memory for long. */
const DISTURBED: readonly string[] = [POINT, LIST, LEVELS, COUNT];

/** The last one is the update. */
function questionsOf(size: number): readonly PeerQuestion[] {
  const id = (serial: number) => deviceId(scatter(serial, 9) % devicesOf(size));
  const role = (serial: number) => ROLES[serial % ROLES.length]!;
  const site = (serial: number) => scatter(serial, 8) % sitesOf(size);
  const sites = (serial: number) =>
    Array.from({length: 5}, (_, place) => siteId((5 * serial + place) % sitesOf(size)));
  const perRole = devicesOf(size) / ROLES.length;
  return [
    {
      name: POINT,
      clients: CLIENTS,
      objects: 1,
      ask: {
        trellis: serial =>
          graphql(`query ($ids: [ID]) { BenchDevice(ids: $ids) { edges { node { ${OURS} } } } }`, {
            ids: [id(serial)],
          }),
        postgraphile: serial =>
          graphql(`query ($id: UUID!) { deviceByRowId(rowId: $id) { ${POSTGRAPHILE} } }`, {id: id(serial)}),
        directus: serial =>
          graphql(`query ($id: ID!) { device_by_id(id: $id) { ${DIRECTUS} } }`, {id: id(serial)}),
        sql: serial => sql('point', {id: id(serial)}),
      },
    },
    {
      name: LIST,
      clients: CLIENTS,
      objects: Math.min(50, Math.floor(perRole)),
      ask: {
        trellis: serial =>
          graphql(
            `query ($role: String) { BenchDevice(role__value: $role, limit: 50) { edges { node { ${OURS} } } } }`,
            {role: role(serial)},
          ),
        postgraphile: serial =>
          graphql(
            `query ($role: String!) { allDevices(condition: {role: $role}, orderBy: NAME_ASC, first: 50) { nodes { ${POSTGRAPHILE} } } }`,
            {role: role(serial)},
          ),
        directus: serial =>
          graphql(
            `query ($role: String) { device(filter: {role: {_eq: $role}}, sort: ["name"], limit: 50) { ${DIRECTUS} } }`,
            {role: role(serial)},
          ),
        sql: serial => sql('list', {role: role(serial)}),
      },
    },
    {
      name: 'list of 1,000 with 10 related each',
      clients: FEW,
      objects: Math.min(1_000, devicesOf(size)) * 11,
      ask: {
        trellis: () => graphql(`{ BenchDevice(limit: 1000) { edges { node { ${OURS} ${OUR_PORTS} } } } }`),
        postgraphile: () =>
          graphql(
            `{ allDevices(orderBy: NAME_ASC, first: 1000) { nodes { ${POSTGRAPHILE} ${POSTGRAPHILE_PORTS} } } }`,
          ),
        directus: () => graphql(`{ device(sort: ["name"], limit: 1000) { ${DIRECTUS} ${DIRECTUS_PORTS} } }`),
        sql: () => sql('thousand'),
      },
    },
    {
      name: LEVELS,
      clients: CLIENTS,
      objects: 5 + 50 + 500,
      ask: {
        trellis: serial =>
          graphql(
            `query ($ids: [ID]) { BenchSite(ids: $ids) { edges { node { id name { value } devices(limit: 10) { edges { node { ${OURS} ${OUR_PORTS} } } } } } } }`,
            {ids: sites(serial)},
          ),
        postgraphile: serial =>
          graphql(
            `query ($ids: [UUID!]) { allSites(filter: {rowId: {in: $ids}}, orderBy: NAME_ASC) { nodes { id: rowId name devices: devicesBySiteId(first: 10, orderBy: NAME_ASC) { nodes { ${POSTGRAPHILE} ${POSTGRAPHILE_PORTS} } } } } }`,
            {ids: sites(serial)},
          ),
        directus: serial =>
          graphql(
            `query ($ids: [ID]) { site(filter: {id: {_in: $ids}}, sort: ["name"]) { id name devices(limit: 10, sort: ["name"]) { ${DIRECTUS} ${DIRECTUS_PORTS} } } }`,
            {ids: sites(serial)},
          ),
        sql: serial => sql('nested', {ids: sites(serial)}),
      },
    },
    {
      name: COUNT,
      clients: CLIENTS,
      objects: 0,
      ask: {
        trellis: serial =>
          graphql('query ($role: String) { BenchDevice(role__value: $role) { count } }', {
            role: role(serial),
          }),
        postgraphile: serial =>
          graphql('query ($role: String!) { allDevices(condition: {role: $role}) { totalCount } }', {
            role: role(serial),
          }),
        directus: serial =>
          graphql('query ($role: String) { device_aggregated(filter: {role: {_eq: $role}}) { countAll } }', {
            role: role(serial),
          }),
        sql: serial => sql('count', {role: role(serial)}),
      },
    },
    {
      name: 'filter through two relationships',
      clients: CLIENTS,
      objects: 50,
      ask: {
        trellis: serial =>
          graphql(
            'query ($name: String) { BenchInterface(where: {device: {site: {name: {value: $name}}}}, limit: 50) { edges { node { id } } } }',
            {name: siteName(site(serial))},
          ),
        postgraphile: serial =>
          graphql(
            'query ($name: String!) { allInterfaces(filter: {deviceByDeviceId: {siteBySiteId: {name: {equalTo: $name}}}}, orderBy: NAME_ASC, first: 50) { nodes { id: rowId } } }',
            {name: siteName(site(serial))},
          ),
        directus: serial =>
          graphql(
            'query ($name: String) { interface(filter: {device_id: {site_id: {name: {_eq: $name}}}}, sort: ["name"], limit: 50) { id } }',
            {name: siteName(site(serial))},
          ),
        sql: serial => sql('through', {name: siteName(site(serial))}),
      },
    },
    ...[1, MANY].map(
      (clients): PeerQuestion => ({
        name: `create, ${clients === 1 ? 'one client' : `${clients} clients`}`,
        clients,
        objects: 1,
        isWrite: true,
        ask: {
          trellis: serial =>
            graphql(
              `mutation ($name: String!, $role: String!, $site: String!) { BenchDeviceCreate(data: {name: {value: $name}, status: {value: "active"}, role: {value: $role}, serial: {value: "S"}, position: {value: 1}, description: {value: "made by the bench"}, site: {id: $site}}) { object { id } } }`,
              {name: `made-${serial}`, role: role(serial), site: siteId(site(serial))},
            ),
          postgraphile: serial =>
            graphql(
              `mutation ($name: String!, $role: String!, $site: UUID!) { createDevice(input: {device: {name: $name, status: "active", role: $role, serial: "S", position: 1, description: "made by the bench", siteId: $site}}) { device { id: rowId } } }`,
              {name: `made-${serial}`, role: role(serial), site: siteId(site(serial))},
            ),
          // A mutation of Directus cannot name a related object without writing to it: it is asked the other way.
          directus: serial => ({
            path: '/items/device?fields=id',
            body: JSON.stringify({
              name: `made-${serial}`,
              status: 'active',
              role: role(serial),
              serial: 'S',
              position: 1,
              description: 'made by the bench',
              site_id: siteId(site(serial)),
            }),
          }),
          sql: serial =>
            sql('create', {name: `made-${serial}`, role: role(serial), site: siteId(site(serial))}),
        },
      }),
    ),
    {
      name: `update, ${CLIENTS} clients`,
      clients: CLIENTS,
      objects: 1,
      isWrite: true,
      ask: {
        trellis: serial =>
          graphql(
            'mutation ($id: String!, $text: String!) { BenchDeviceUpdate(data: {id: $id, description: {value: $text}}) { object { id } } }',
            {id: id(serial), text: `revision ${serial}`},
          ),
        postgraphile: serial =>
          graphql(
            'mutation ($id: UUID!, $text: String!) { updateDeviceByRowId(input: {rowId: $id, devicePatch: {description: $text}}) { device { id: rowId } } }',
            {id: id(serial), text: `revision ${serial}`},
          ),
        directus: serial =>
          graphql(
            'mutation ($id: ID!, $text: String!) { update_device_item(id: $id, data: {description: $text}) { id } }',
            {id: id(serial), text: `revision ${serial}`},
          ),
        sql: serial => sql('update', {id: id(serial), description: `revision ${serial}`}),
      },
    },
  ];
}
