import {unreachable} from '../../base/assert.ts';
import {type Json, sameJson} from '../../base/json.ts';
import type {AttributeState, EdgeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {
  Condition,
  Include,
  MetadataTest,
  NodeQuery,
  Order,
  Test,
} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Found, Page} from '../graph-store.ts';
import {compareLists, compareTyped, isComparable, NOTHING, type Typed} from './compare.ts';
import type {ModelNode} from './node.ts';

export interface Graph {
  all(): readonly ModelNode[];
  peers(node: ModelNode, relationship: string): readonly Reached[];
  /** Who made the commit of that instant. */
  authorAt(instant: Instant): NodeId | null;
}

interface Reached {
  readonly node: ModelNode;
  readonly edge: EdgeRecord | undefined;
}

export function answer(graph: Graph, query: NodeQuery): Page {
  const all = graph.all().filter(node => node.isAnswering(query.kind));
  const candidates = all.map(node => ({node, edge: undefined}));
  return page(graph, query, candidates);
}

function page(graph: Graph, query: Omit<NodeQuery, 'kind'>, candidates: readonly Reached[]): Page {
  const {where, page: request} = query;
  const matches = candidates.filter(({node}) => where === undefined || holds(graph, node, where));
  const rows = matches
    .map(reached => ({reached, place: placeIn(graph, reached.node, query.order)}))
    .sort((a, b) => comparePlaces(a.place, b.place));
  const from =
    request === undefined ? 0 : 'offset' in request ? request.offset : startAfter(rows, request.after);
  const to = request === undefined ? rows.length : from + request.limit;
  const isCountOnly = query.nodes === false;
  return {
    found: isCountOnly ? [] : rows.slice(from, to).map(row => found(graph, query, row)),
    count: query.count ? rows.length : undefined,
    hasMore: !isCountOnly && to < rows.length,
  };
}

interface Row {
  readonly reached: Reached;
  readonly place: Place;
}

function found(graph: Graph, query: Omit<NodeQuery, 'kind'>, {reached, place}: Row): Found {
  const {node, edge} = reached;
  return {
    node,
    cursor: [JSON.stringify(place.keys), place.serial],
    edge: edge && {properties: edge.properties, updatedAt: edge.updatedAt},
    included: (query.include ?? []).map(include => page(graph, include, related(graph, node, include))),
  };
}

function related(graph: Graph, node: ModelNode, include: Include): Reached[] {
  const {relationship, transitive, ofDescendants} = include;
  if (transitive !== undefined) return closure(graph, node, relationship, transitive.depthMax);
  const below = ofDescendants === undefined ? [] : closure(graph, node, 'children', ofDescendants.depthMax);
  const reached = [node, ...below.map(item => item.node)].flatMap(owner => graph.peers(owner, relationship));
  return onceEach(reached);
}

/** Everything that 1 to `depthMax` steps lead to, the start itself excepted. */
function closure(graph: Graph, start: ModelNode, relationship: string, depthMax: number): Reached[] {
  const reached: Reached[] = [];
  let level = [start];
  const seen = new Set([start.id]);
  for (let depth = 0; depth < depthMax && level.length > 0; depth++) {
    const next = onceEach(level.flatMap(node => graph.peers(node, relationship))).filter(
      ({node}) => !seen.has(node.id),
    );
    for (const {node} of next) seen.add(node.id);
    reached.push(...next);
    level = next.map(({node}) => node);
  }
  return reached;
}

const onceEach = (all: readonly Reached[]): Reached[] => [
  ...new Map(all.map(item => [item.node.id, item] as const).reverse()).values(),
];

/** Where an object stands in an order: its keys, each with a direction, then the first created. */
interface Place {
  readonly keys: readonly {readonly values: readonly Typed[]; readonly isDescending: boolean}[];
  readonly serial: number;
}

function placeIn(graph: Graph, node: ModelNode, order: readonly Order[] | undefined): Place {
  const {serial} = node.item;
  if (order === undefined) {
    const values = node.shape.orderBy.map(path => node.typed(path.attribute, path.property));
    // Among the kinds of a generic, one without an order stands where nulls do.
    return {keys: [{values: values.length === 0 ? [NOTHING] : values, isDescending: false}], serial};
  }
  const keys = order.map(item => ({values: [orderValue(graph, node, item)], isDescending: item.descending}));
  return {keys, serial};
}

function orderValue(graph: Graph, node: ModelNode, order: Order): Typed {
  if (order.by !== 'attribute') return {kind: 'Number', value: node[order.by]};
  const {relationship, attribute, property} = order.path;
  if (relationship === undefined) return node.typed(attribute, property);
  const [peer] = graph.peers(node, relationship);
  return peer === undefined ? NOTHING : peer.node.typed(attribute, property);
}

function comparePlaces(a: Place, b: Place): number {
  for (const [index, {values, isDescending}] of a.keys.entries()) {
    const order = compareLists(values, b.keys[index]!.values);
    if (order !== 0) return isDescending ? -order : order;
  }
  return a.serial - b.serial;
}

function startAfter(rows: readonly Row[], cursor: Found['cursor'] | null): number {
  if (cursor === null) return 0;
  const place: Place = {keys: JSON.parse(cursor[0]), serial: cursor[1]};
  const next = rows.findIndex(row => comparePlaces(row.place, place) > 0);
  return next === -1 ? rows.length : next;
}

function holds(graph: Graph, node: ModelNode, condition: Condition): boolean {
  switch (condition.is) {
    case 'all':
      return condition.of.every(item => holds(graph, node, item));
    case 'any':
      return condition.of.some(item => holds(graph, node, item));
    case 'not':
      return !holds(graph, node, condition.of);
    case 'id':
      return condition.in.includes(node.id);
    case 'kind':
      return condition.in.includes(node.kind);
    case 'attribute': {
      if (node.shapeOf(condition.attribute) === undefined) return false;
      return passes(node.typed(condition.attribute, condition.property), condition.test);
    }
    case 'anyAttribute':
      return node.shape.attributes.some(({name}) => passes(node.typed(name, 'value'), condition.test));
    case 'metadata': {
      const {attribute, test} = condition;
      const state = node.attribute(attribute);
      const states = attribute === '*' ? node.states() : state === undefined ? [] : [state];
      return states.some(item => describes(test, item));
    }
    case 'node': {
      const instant = node[condition.field];
      const author = graph.authorAt(instant);
      const isTheirs = condition.by === undefined || (author !== null && condition.by.includes(author));
      return isTheirs && instant >= (condition.from ?? instant) && instant <= (condition.until ?? instant);
    }
    case 'related': {
      const {relationship, transitive, where} = condition;
      const isDirect = transitive === undefined;
      const peers = isDirect
        ? graph.peers(node, relationship)
        : closure(graph, node, relationship, transitive);
      return peers.some(peer => where === undefined || holds(graph, peer.node, where));
    }
    default:
      return unreachable(condition);
  }
}

function describes(test: MetadataTest, state: AttributeState): boolean {
  if ('equals' in test) return state[test.field] === test.equals;
  const id = state[test.field];
  return id !== null && test.in.includes(id);
}

function passes({kind, value}: Typed, test: Test): boolean {
  if (test.op === 'isNull') return value === null;
  if (value === null) return false;
  if ('value' in test && !isComparable({kind, value}, {kind, value: test.value})) return false;
  switch (test.op) {
    case 'in':
      return test.values.some(candidate => sameJson(candidate, value));
    case 'less':
      return compareWith(test.value) < 0;
    case 'lessOrEqual':
      return compareWith(test.value) <= 0;
    case 'greater':
      return compareWith(test.value) > 0;
    case 'greaterOrEqual':
      return compareWith(test.value) >= 0;
    case 'contains':
      return folded(textOf(value)).includes(folded(test.text));
    case 'startsWith':
      return folded(textOf(value)).startsWith(folded(test.text));
    case 'endsWith':
      return folded(textOf(value)).endsWith(folded(test.text));
    default:
      return unreachable(test);
  }

  function compareWith(other: Json): number {
    return compareTyped({kind, value}, {kind, value: other});
  }

  function folded(text: string): string {
    return 'ignoreCase' in test && test.ignoreCase ? text.toLowerCase() : text;
  }
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
