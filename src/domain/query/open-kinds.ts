import {attributeOf, kindOf, relationshipOf} from '../schema/lookup.ts';
import type {KindSchema, Schema} from '../schema/schema.ts';
import type {Condition, Include, NodeQuery} from './node-query.ts';

/** How much a question found, level by level, as far as it matters here. */
export interface FoundLevel {
  readonly found: readonly {readonly included: readonly FoundLevel[]}[];
  readonly hasMore: boolean;
}

/**
 * The kinds of which an object that was not found might enter the answer by a change of its own: lists that are filtered
 * or cut, and lists of all there is. An object asked for by its id or a unique value, and all peers of an object that was
 * found, cannot: whatever brings another one in touches one that is in the answer.
 */
export function openKinds(schema: Schema, query: NodeQuery, result: FoundLevel): ReadonlySet<string> {
  const open = new Set<string>();
  const kind = kindOf(schema, query.kind);
  if (kind === undefined) return open;
  const pinned = query.where === undefined ? undefined : pinnedCount(kind, query.where);
  if (pinned !== result.found.length) {
    open.add(query.kind);
    if (query.where !== undefined) addConditions(open, schema, kind, query.where);
  }
  addIncludes(open, schema, kind, query.include ?? [], result);
  return open;
}

function addIncludes(
  open: Set<string>,
  schema: Schema,
  kind: KindSchema,
  includes: readonly Include[],
  result: FoundLevel,
): void {
  for (const [place, include] of includes.entries()) {
    for (const peer of peersOf(schema, kind, include.relationship)) {
      const pages = result.found.flatMap(({included}) => included[place] ?? []);
      const isCut = pages.some(({hasMore}) => hasMore);
      if (isCut || include.where !== undefined || include.ofDescendants !== undefined) open.add(peer.kind);
      if (include.where !== undefined) addConditions(open, schema, peer, include.where);
      const level = {found: pages.flatMap(({found}) => found), hasMore: false};
      addIncludes(open, schema, peer, include.include ?? [], level);
    }
  }
}

/** How many objects a condition can match at most, when it names them; undefined when it does not. */
function pinnedCount(kind: KindSchema, condition: Condition): number | undefined {
  switch (condition.is) {
    case 'id':
      return new Set(condition.in).size;
    case 'attribute': {
      const isUnique =
        attributeOf(kind, condition.attribute)?.unique === true && condition.property === 'value';
      return isUnique && condition.test.op === 'in' ? new Set(condition.test.values).size : undefined;
    }
    case 'all':
      return condition.of.map(each => pinnedCount(kind, each)).find(count => count !== undefined);
    default:
      return undefined;
  }
}

/** An object elsewhere that a condition looks at may let another one in. */
function addConditions(open: Set<string>, schema: Schema, kind: KindSchema, condition: Condition): void {
  if (condition.is === 'all' || condition.is === 'any') {
    for (const each of condition.of) addConditions(open, schema, kind, each);
  } else if (condition.is === 'not') {
    addConditions(open, schema, kind, condition.of);
  } else if (condition.is === 'related') {
    for (const peer of peersOf(schema, kind, condition.relationship)) {
      open.add(peer.kind);
      if (condition.where !== undefined) addConditions(open, schema, peer, condition.where);
    }
  }
}

/** A relationship that a generic lacks may be one of the kinds that implement it. */
function peersOf(schema: Schema, kind: KindSchema, relationship: string): readonly KindSchema[] {
  const own = relationshipOf(kind, relationship);
  const names = schema.generics.get(kind.kind)?.used_by ?? [];
  const found =
    own === undefined
      ? names.flatMap(name => {
          const implementing = kindOf(schema, name);
          return implementing === undefined ? [] : (relationshipOf(implementing, relationship) ?? []);
        })
      : [own];
  const peers = new Set(found.map(({peer}) => peer));
  return [...peers].flatMap(peer => kindOf(schema, peer) ?? []);
}
