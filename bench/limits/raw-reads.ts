import type {DatabaseSync} from 'node:sqlite';
import {sortKey} from '../../src/domain/attribute/sort-key.ts';
import type {NodeQuery} from '../../src/domain/query/node-query.ts';
import type {Bench} from '../bench.ts';
import type {DataSet} from '../data/data-set.ts';
import {MAIN_SERIAL, OPEN, prepareRaw, rawRows, serialOf} from './raw-database.ts';

const VISIBLE = `v.branch = ${MAIN_SERIAL} AND v.t = ${OPEN} AND v.del = 0`;

/** One object by its id: the rows that the store reads, in one statement. */
export function pointReader(database: DatabaseSync): (id: string) => string {
  const statement = prepareRaw(
    database,
    `SELECT v.vid, v.node, v.kind, v.branch, v.f, v.doc FROM node n CROSS JOIN ver v
     WHERE n.uuid = ?1 AND v.node = n.id AND ${VISIBLE}`,
  );
  return id => rawRows(statement, id)[0]![5] as string;
}

/** The first rows of a list, in order, with their documents. */
export function rangeReader(
  database: DatabaseSync,
  data: DataSet,
): (list: NodeQuery, limit: number) => readonly (readonly [node: number, text: string])[] {
  const statement = prepareRaw(
    database,
    `SELECT x.node, v.doc, x.sk, v.vid FROM ix x CROSS JOIN ver v
     WHERE x.branch = ${MAIN_SERIAL} AND x.attr = ?1 AND x.val = ?2 AND v.node = x.node AND ${VISIBLE}
     ORDER BY x.sk, x.node LIMIT ?3`,
  );
  const places = new Map(data.lists.map(list => [list, placeOf(database, data, list)]));
  return (list, limit) => {
    const [index, value] = places.get(list)!;
    return rawRows(statement, index, value, limit) as unknown as readonly (readonly [number, string])[];
  };
}

function placeOf(
  database: DatabaseSync,
  data: DataSet,
  list: NodeQuery,
): readonly [index: number, value: string] {
  if (list.where?.is !== 'attribute' || list.where.test.op !== 'in')
    throw new Error('not a list by one value');
  const {attribute, test} = list.where;
  const {shape} = data.kinds.find(kind => kind.shape.name === list.kind)!;
  const id = shape.attributes.find(item => item.name === attribute)!.id;
  const kind = serialOf(database, 'kind', shape.id);
  return [serialOf(database, 'index', `${kind}/${id}@%`), sortKey('Dropdown', test.values[0]!)];
}

/** The peers of many objects by one relationship, with their documents: one statement for a level. */
export function peerReader(
  database: DatabaseSync,
  {data}: Bench,
): (relationship: string, nodes: readonly number[]) => readonly (readonly [node: number, text: string])[] {
  const statement = prepareRaw(
    database,
    `SELECT e.dst, v.doc, e.src, v.vid, v.sk FROM json_each(?1) p CROSS JOIN edge e CROSS JOIN ver v
     WHERE e.src = p.value AND e.rel = ?2 AND e.branch = ${MAIN_SERIAL} AND e.del = 0 AND v.node = e.dst AND ${VISIBLE}`,
  );
  const shapes = data.kinds.flatMap(kind => kind.shape.relationships);
  const codes = new Map<string, number>();
  for (const shape of shapes) {
    const direction = {bidirectional: 0, outbound: 1, inbound: 2}[shape.direction];
    codes.set(shape.name, serialOf(database, 'relationship', shape.identifier) * 4 + direction);
  }
  return (relationship, nodes) =>
    rawRows(statement, JSON.stringify(nodes), codes.get(relationship)!) as unknown as readonly (readonly [
      number,
      string,
    ])[];
}

export function memberCounter(database: DatabaseSync, data: DataSet): (name: string) => number {
  const statement = prepareRaw(
    database,
    `SELECT count(*) FROM ix WHERE branch = ${MAIN_SERIAL} AND attr = ?1 AND val = ''`,
  );
  return name => {
    const {shape} = data.kinds.find(kind => kind.shape.name === name)!;
    const index = serialOf(database, 'index', `${serialOf(database, 'kind', shape.id)}@%`);
    return rawRows(statement, index)[0]![0] as number;
  };
}
