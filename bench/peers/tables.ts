import {Client} from 'pg';
import {devicesAt, interfacesOf, siteAt, sitesOf} from '../data-sets/service-set.ts';

/** The service set as somebody would lay it out who wants no versions: plain tables, and an index for each question. */
const TABLES = `
  CREATE TABLE site (id uuid PRIMARY KEY, name text NOT NULL UNIQUE);
  CREATE TABLE device (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text NOT NULL UNIQUE, status text, role text, serial text,
    position integer, description text, site_id uuid REFERENCES site);
  CREATE TABLE interface (
    id uuid PRIMARY KEY, device_id uuid NOT NULL REFERENCES device ON DELETE CASCADE, name text NOT NULL,
    speed integer, enabled boolean NOT NULL DEFAULT true, UNIQUE (device_id, name));`;
const INDEXES = `
  CREATE INDEX device_role ON device (role, name);
  CREATE INDEX device_status ON device (status, name);
  CREATE INDEX device_site ON device (site_id, name);`;

const GROUPS_PER_INSERT = 50;

/** Fills a database with the service set of that size. */
export async function loadTables(url: string, size: number): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(TABLES);
  for (let from = 0; from < sitesOf(size); from += GROUPS_PER_INSERT) {
    const {sites, devices, interfaces} = rowsOf(from, Math.min(sitesOf(size), from + GROUPS_PER_INSERT));
    await client.query('BEGIN');
    for (const [table, rows] of Object.entries({site: sites, device: devices, interface: interfaces})) {
      await client.query(
        `INSERT INTO ${table} SELECT r.* FROM json_populate_recordset(NULL::${table}, $1) AS r`,
        [JSON.stringify(rows)],
      );
    }
    await client.query('COMMIT');
  }
  await client.query(INDEXES);
  await client.query('VACUUM ANALYZE');
  await client.end();
}

function rowsOf(from: number, to: number) {
  const groups = Array.from({length: to - from}, (_, place) => from + place);
  const devices = groups.flatMap(group => {
    const site = siteAt(group).id;
    return devicesAt(group).map(device => ({...device, site}));
  });
  return {
    sites: groups.map(group => {
      const {id, values} = siteAt(group);
      return {id, ...values};
    }),
    devices: devices.map(({id, values, site}) => ({id, ...values, site_id: site})),
    interfaces: devices.flatMap(device =>
      interfacesOf(device).map(({id, values}) => ({id, ...values, device_id: device.id})),
    ),
  };
}
