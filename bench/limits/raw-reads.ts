import {sortKey} from '../../src/domain/attribute/sort-key.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {KindShape} from '../../src/domain/graph/shape.ts';
import type {NodeQuery} from '../../src/domain/query/node-query.ts';
import type {DataSet, Follow} from '../data-sets/data-set.ts';
import type {Execute} from './raw-database.ts';
import {MAIN_SERIAL, OPEN, serialOf} from './raw-database.ts';

type NodeText = readonly [node: number, text: string];

const VISIBLE = `v.branch = ${MAIN_SERIAL} AND v.t = ${OPEN} AND v.del = 0`;
const POINT = `SELECT v.vid, v.node, v.kind, v.branch, v.f, v.doc FROM node n CROSS JOIN ver v
  WHERE n.uuid = ?1 AND v.node = n.id AND ${VISIBLE}`;
const RANGE = `SELECT x.node, v.doc, x.sk, v.vid FROM ix x CROSS JOIN ver v
  WHERE x.branch = ${MAIN_SERIAL} AND x.attr = ?1 AND x.val = ?2 AND v.node = x.node AND ${VISIBLE}
  ORDER BY x.sk, x.node LIMIT ?3`;
const PEERS = `SELECT e.dst, v.doc, e.src, v.vid, v.sk FROM json_each(?1) p CROSS JOIN edge e CROSS JOIN ver v
  WHERE e.src = p.value AND e.rel = ?2 AND e.branch = ${MAIN_SERIAL} AND e.del = 0 AND v.node = e.dst AND ${VISIBLE}`;
const COUNT = `SELECT count(*) FROM ix WHERE branch = ${MAIN_SERIAL} AND attr = ?1 AND val = ''`;
const CHANGED = `SELECT DISTINCT v.node FROM ver v JOIN branch b ON v.branch = b.id WHERE b.name = ?1`;
const STATES = `SELECT v.vid, v.doc FROM json_each(?1) p CROSS JOIN ver v WHERE v.node = p.value AND v.t = ${OPEN}`;
const EDGES = 'SELECT e.dst, e.rel, e.f FROM json_each(?1) p CROSS JOIN edge e WHERE e.src = p.value';

/** The raw work behind the answers of a store: the rows that it cannot do without, one statement for a level. */
export class RawReads {
  readonly #execute: Execute;
  readonly #data: DataSet;
  /** What stands in the statements for the names of the schema. */
  readonly #serials = new Map<string, number>();

  constructor(execute: Execute, data: DataSet) {
    this.#execute = execute;
    this.#data = data;
  }

  point(id: string): string {
    return this.#execute(POINT, id)[0]![5] as string;
  }

  /** The first rows of a list by one value, in order. */
  range({kind, where}: NodeQuery, limit: number): readonly NodeText[] {
    if (where?.is !== 'attribute' || where.test.op !== 'in') throw new Error('not a list by one value');
    const shape = this.#shape(kind);
    const {id} = shape.attributes.find(item => item.name === where.attribute)!;
    const index = this.#serial('index', `${this.#serial('kind', shape.id)}/${id}@%`);
    const value = sortKey('Dropdown', where.test.values[0]!);
    return this.#execute(RANGE, index, value, limit) as unknown as readonly NodeText[];
  }

  /** A list, the parent of each, and the children of those. */
  nested(query: NodeQuery): readonly string[] {
    const [parent, children] = this.#data.nestedPath;
    const top = this.range(query, 50);
    const parents = this.#peers(
      parent,
      top.map(row => row[0]),
    );
    const leaves = this.#peers(children, [...new Set(parents.map(row => row[0]))]);
    return [...top, ...parents, ...leaves].map(row => row[1]);
  }

  count(kind: string): number {
    const index = this.#serial('index', `${this.#serial('kind', this.#shape(kind).id)}@%`);
    return this.#execute(COUNT, index)[0]![0] as number;
  }

  /** The objects that a branch has its own word on. */
  changed(branch: BranchName): readonly number[] {
    return this.#execute(CHANGED, branch).map(row => row[0] as number);
  }

  /** The documents of objects on every branch, and their edges. */
  states(nodes: readonly number[]): readonly string[] {
    const list = JSON.stringify(nodes);
    this.#execute(EDGES, list);
    return this.#execute(STATES, list).map(row => row[1] as string);
  }

  #peers([kind, name]: Follow, nodes: readonly number[]): readonly NodeText[] {
    const {identifier, direction} = this.#shape(kind).relationships.find(item => item.name === name)!;
    const code =
      this.#serial('relationship', identifier) * 4 + {bidirectional: 0, outbound: 1, inbound: 2}[direction];
    return this.#execute(PEERS, JSON.stringify(nodes), code) as unknown as readonly NodeText[];
  }

  #shape(name: string): KindShape {
    return this.#data.kinds.find(kind => kind.shape.name === name)!.shape;
  }

  #serial(space: string, like: string): number {
    const name = `${space} ${like}`;
    const serial = this.#serials.get(name) ?? serialOf(this.#execute, space, like);
    this.#serials.set(name, serial);
    return serial;
  }
}
