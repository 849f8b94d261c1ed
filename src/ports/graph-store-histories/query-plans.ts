import fc from 'fast-check';
import {must} from '../../base/assert.ts';
import type {AttributeKind} from '../../domain/attribute/kinds.ts';
import type {KindShape, RelationshipShape} from '../../domain/graph/shape.ts';
import type {Include, NodeQuery, Order, PageRequest} from '../../domain/query/node-query.ts';
import {ALL_KINDS} from '../graph-store-fixtures.ts';
import {conditionsOn} from './condition-plans.ts';

export interface QueryPlan extends NodeQuery {
  /** Ask again and again by cursor, this many at a time, instead of the query's own page. */
  readonly pagesOf?: number | undefined;
}

const SHAPES = ALL_KINDS.map(record => record.shape);
const GENERICS = [...new Set(SHAPES.flatMap(shape => shape.generics))];
const UNSORTED: readonly AttributeKind[] = ['List', 'JSON'];

const depth = fc.record({depthMax: fc.integer({min: 1, max: 4})});

const pages: fc.Arbitrary<PageRequest> = fc.oneof(
  fc.record({limit: fc.integer({min: 1, max: 4}), offset: fc.nat({max: 4})}),
  fc.record({limit: fc.integer({min: 1, max: 4}), after: fc.constant(null)}),
);

/** One of the kinds that a name stands for: what is asked of a generic is mostly asked of its members. */
export const membersOf = (name: string): readonly KindShape[] =>
  SHAPES.filter(shape => shape.name === name || shape.generics.includes(name));

function orderOn(shape: KindShape): fc.Arbitrary<readonly Order[]> {
  const sortable = shape.attributes.filter(item => !UNSORTED.includes(item.kind)).map(item => item.name);
  const byAttribute = fc.record({
    by: fc.constant('attribute' as const),
    path: fc.constantFrom(...sortable).map(attribute => ({attribute, property: 'value'})),
    descending: fc.boolean(),
  });
  const byTime = fc.record({by: fc.constantFrom('createdAt', 'updatedAt'), descending: fc.boolean()});
  const toOne = shape.relationships.filter(item => item.cardinality === 'one').map(item => item.name);
  if (toOne.length === 0) return fc.array(fc.oneof(byAttribute, byTime), {maxLength: 2});
  const byPeer = fc.record({
    by: fc.constant('attribute' as const),
    path: fc
      .constantFrom(...toOne)
      .map(relationship => ({relationship, attribute: 'name', property: 'value'})),
    descending: fc.boolean(),
  });
  return fc.array(fc.oneof(byAttribute, byAttribute, byPeer, byTime), {maxLength: 2});
}

/** What a query and an include have in common. */
const levelOn = (shape: KindShape, level: number) => ({
  where: conditionsOn(shape, 3),
  order: orderOn(shape),
  page: pages,
  count: fc.boolean(),
  nodes: fc.nat({max: 9}).map(number => number > 0),
  include: level === 0 ? fc.constant([]) : includesOn(shape, level),
});

function includesOn(shape: KindShape, level: number): fc.Arbitrary<readonly Include[]> {
  if (shape.relationships.length === 0) return fc.constant([]);
  const each = fc
    .constantFrom(...shape.relationships)
    .chain(relationship => includeThrough(relationship, level));
  return fc.array(each, {maxLength: level});
}

function includeThrough(relationship: RelationshipShape, level: number): fc.Arbitrary<Include> {
  return fc.constantFrom(...membersOf(relationship.peer)).chain(peer => {
    const isChain = peer.relationships.some(item => item.name === relationship.name);
    const isInHierarchy = relationship.name === 'sites';
    const ways = {
      ...(isChain ? {transitive: depth} : {}),
      ...(isInHierarchy ? {ofDescendants: depth} : {}),
    };
    const fields = {relationship: fc.constant(relationship.name), ...levelOn(peer, level - 1), ...ways};
    return fc.record(fields, {requiredKeys: ['relationship']});
  });
}

const names = fc.oneof(
  {weight: 5, arbitrary: fc.constantFrom(...SHAPES.map(shape => shape.name))},
  {weight: 2, arbitrary: fc.constantFrom(...GENERICS)},
  {weight: 1, arbitrary: fc.constantFrom('TestTagNew', 'TestDeviceNew', 'TestExtra')},
);

export const queryPlans: fc.Arbitrary<QueryPlan> = names.chain(kind => {
  const members = membersOf(kind.replace(/New$/, ''));
  const shape = fc.constantFrom(...(members.length === 0 ? SHAPES : members));
  return shape.chain(member =>
    fc.record(
      {
        kind: fc.constant(kind),
        ...levelOn(must(member, 'a member'), 3),
        pagesOf: fc.integer({min: 1, max: 4}),
      },
      {requiredKeys: ['kind']},
    ),
  );
});
