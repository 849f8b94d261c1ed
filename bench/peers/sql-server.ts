import Fastify from 'fastify';
import {Pool} from 'pg';

/**
 * What a careful hand would write for exactly these questions: one prepared statement each, lists of related rows put
 * together by the database, and nothing else. No rights, no schema, no history.
 */
const {DATABASE_URL = '', PEER_CONNECTIONS = ''} = process.env;
const pool = new Pool({connectionString: DATABASE_URL, max: Number(PEER_CONNECTIONS)});
const server = Fastify();

type Value = string | number | readonly string[];
type Values = readonly Value[];
type Body = Readonly<Record<string, Value>>;

const DEVICE = 'd.id, d.name, d.status, d.role, d.serial, d.position, d.description';
const PORTS = `(SELECT json_agg(i) FROM (
  SELECT i.id, i.name, i.speed FROM interface i WHERE i.device_id = d.id ORDER BY i.name LIMIT 10) i) AS interfaces`;

const STATEMENTS = {
  point: `SELECT ${DEVICE} FROM device d WHERE d.id = $1`,
  list: `SELECT ${DEVICE} FROM device d WHERE d.role = $1 ORDER BY d.name LIMIT 50`,
  thousand: `SELECT ${DEVICE}, ${PORTS} FROM device d ORDER BY d.name LIMIT 1000`,
  nested: `SELECT s.id, s.name, (SELECT json_agg(d) FROM (
      SELECT ${DEVICE}, ${PORTS} FROM device d WHERE d.site_id = s.id ORDER BY d.name LIMIT 10) d) AS devices
    FROM site s WHERE s.id = ANY ($1) ORDER BY s.name`,
  count: 'SELECT count(*)::int AS count FROM device WHERE role = $1',
  through: `SELECT i.id FROM interface i JOIN device d ON d.id = i.device_id JOIN site s ON s.id = d.site_id
    WHERE s.name = $1 ORDER BY i.name, i.id LIMIT 50`,
  create: `INSERT INTO device (name, status, role, serial, position, description, site_id)
    VALUES ($1, 'active', $2, 'S', 1, 'made by the bench', $3) RETURNING id`,
  update: 'UPDATE device SET description = $2 WHERE id = $1 RETURNING id',
} as const;

/** The values that each statement takes, by their names in the body. */
const TAKES = {
  point: ['id'],
  list: ['role'],
  thousand: [],
  nested: ['ids'],
  count: ['role'],
  through: ['name'],
  create: ['name', 'role', 'site'],
  update: ['id', 'description'],
} as const satisfies Record<keyof typeof STATEMENTS, readonly string[]>;

async function answer(name: keyof typeof STATEMENTS, values: Values): Promise<unknown> {
  const {rows} = await pool.query({name, text: STATEMENTS[name], values: [...values]});
  return rows;
}

for (const name of Object.keys(STATEMENTS) as (keyof typeof STATEMENTS)[]) {
  server.post(`/${name}`, request => {
    const body = request.body as Body;
    return answer(
      name,
      TAKES[name].map(key => body[key] ?? ''),
    );
  });
}

console.log(`ready at ${await server.listen({port: 0, host: '127.0.0.1'})}`);
