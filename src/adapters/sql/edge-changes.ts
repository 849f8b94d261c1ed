import type {Instant} from '../../domain/time/instant.ts';
import type {Dialect} from './dialect.ts';
import {inverseCode} from './layout.ts';
import type {Level} from './lineage.ts';
import type {Reader} from './reader.ts';
import type {Statement, Work} from './statement.ts';
import {Parameters, read} from './statement.ts';
import type {StoredNode} from './stored-node.ts';
import type {Edge, Touched} from './touched.ts';

/** A state of the graph that is compared with another, and what it has of the objects that differ. */
export interface ComparedState {
  readonly reader: Reader;
  readonly nodes: ReadonlyMap<number, StoredNode>;
}

export interface RawEdgeChange {
  readonly code: number;
  readonly target: number;
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
  readonly at: Instant;
}

export function* comparedState(reader: Reader, serials: readonly number[]): Work<ComparedState> {
  const nodes = new Map<number, StoredNode>();
  for (const node of yield* reader.load(yield* reader.versions(serials))) nodes.set(node.serial, node);
  return {reader, nodes};
}

/** `among` says where the edges may live: on the branch, or on that which all share too. */
export function* edgeChanges(
  before: ComparedState,
  after: ComparedState,
  touched: Touched,
  among: 'branch' | 'any',
): Work<Map<number, RawEdgeChange[]>> {
  const changes = new Map<number, RawEdgeChange[]>();
  const triples = Array.from(touched.edges.values(), ([edge]) => edge);
  const old = yield* visibleProperties(before, triples, among);
  const now = yield* visibleProperties(after, triples, among);
  for (const [name, [[source, code, target], at]] of touched.edges) {
    const a = old.get(name);
    const b = now.get(name);
    if (a === b) continue;
    const add = (node: number, change: RawEdgeChange) => {
      const list = changes.get(node);
      if (list === undefined) changes.set(node, [change]);
      else list.push(change);
    };
    add(source, {code, target, before: a, after: b, at});
    const inverse = inverseCode(code);
    if (source !== target || inverse !== code)
      add(target, {code: inverse, target: source, before: a, after: b, at});
  }
  return changes;
}

/**
 * The properties of the edges that the state has, by their names. An edge is nowhere without both of its ends. Each
 * level is asked only for edges that no nearer one has a word on.
 */
function* visibleProperties(
  {reader, nodes}: ComparedState,
  triples: readonly Edge[],
  among: 'branch' | 'any',
): Work<ReadonlyMap<string, string | null | undefined>> {
  const words = new Map<string, string | null | undefined>();
  let missing = triples.filter(([source, , target]) => nodes.has(source) && nodes.has(target));
  for (const level of reader.lineage[among]) {
    if (missing.length === 0) break;
    const rows = yield wordsAt(reader.dialect, level, missing);
    for (const [source, code, target, gone, properties] of rows) {
      words.set(`${source},${code},${target}`, gone === 0 ? (properties as string | null) : undefined);
    }
    if (rows.length > 0) missing = missing.filter(edge => !words.has(edge.join()));
  }
  return words;
}

/** What one level says of edges, tombstones included. */
function wordsAt(dialect: Dialect, level: Level, triples: readonly Edge[]): Statement {
  const parameters = new Parameters();
  const list = dialect.triples(parameters.bind(JSON.stringify(triples)));
  const branch = parameters.bind(level.branch);
  const until = parameters.bind(level.until);
  const arm = (table: string, isThere: string) =>
    `SELECT e.src, e.rel, e.dst, e.del, e.props FROM ${list} p CROSS JOIN ${table} e
      WHERE e.src = p.a AND e.rel = p.b AND e.branch = ${branch} AND e.dst = p.c AND e.f <= ${until}${isThere}`;
  const open = arm('edge', '');
  return read(
    level.isCurrent ? open : `${open} UNION ALL ${arm('edgeh', ` AND e.t > ${until}`)}`,
    parameters.values,
  );
}
