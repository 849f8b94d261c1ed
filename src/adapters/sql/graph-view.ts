import {BoundedMap} from '../../base/bounded-map.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {BranchBook} from './branch-book.ts';
import type {Dialect} from './dialect.ts';
import type {DocumentCache} from './document-cache.ts';
import type {SchemaInstants} from './kind-records.ts';
import {loadLayout} from './kind-records.ts';
import type {GraphLayout, KindLayout} from './layout.ts';
import type {Lineage} from './lineage.ts';
import type {Names} from './names.ts';
import {Queries} from './query.ts';
import {Reader} from './reader.ts';
import type {HasIndex} from './selection.ts';
import type {Work} from './statement.ts';
import type {Views} from './views.ts';

const LAYOUTS_MAX = 200;
const KIND_LAYOUTS_MAX = 50_000;

/** Layouts by schema key. A key names one schema for ever, so entries are only ever dropped for room. */
export class LayoutCache extends BoundedMap<string, GraphLayout> {
  /** Of single kinds, by where their records stand, for schemas that differ in a few kinds only. */
  readonly kinds = new BoundedMap<string, KindLayout>(KIND_LAYOUTS_MAX);

  constructor() {
    super(LAYOUTS_MAX);
  }
}

/** What every reader of the graph shares, whatever point it reads at. */
export interface GraphContext {
  readonly book: BranchBook;
  readonly instants: SchemaInstants;
  readonly names: Names;
  readonly layouts: LayoutCache;
  readonly views: Views;
  readonly dialect: Dialect;
  readonly cache: DocumentCache;
  readonly defaultBranch: number;
}

export function* layoutOf(context: GraphContext, lineage: Lineage): Work<GraphLayout> {
  const key = context.instants.keyOf(lineage.branch);
  const known = context.layouts.get(key);
  if (known !== undefined) return known;
  const layout = yield* loadLayout(lineage, key, context.names, context.layouts.kinds);
  context.layouts.set(key, layout);
  return layout;
}

const keeps = (layout: GraphLayout, kind: KindLayout, index: number): boolean => {
  const there = layout.bySerial.get(kind.serial);
  if (there === undefined) return true;
  return there.membership === index || there.indexed.some(slot => slot.index === index);
};

/** The schemas that decide which indexes hold: those of the levels below, and the default branch's for agnostic kinds. */
export interface IndexKeepers {
  readonly below: readonly GraphLayout[];
  readonly shared: GraphLayout | undefined;
}

export function* indexKeepers(
  context: GraphContext,
  lineage: Lineage,
  branch: number,
  at: Instant,
): Work<IndexKeepers> {
  const below: GraphLayout[] = [];
  for (const level of lineage.branch.slice(1)) {
    below.push(yield* layoutOf(context, context.book.lineage(level.branch, level.until)));
  }
  const isDefault = branch === context.defaultBranch;
  const shared = isDefault
    ? undefined
    : yield* layoutOf(context, context.book.lineage(context.defaultBranch, at));
  return {below, shared};
}

export const hasIndexIn =
  ({below, shared}: IndexKeepers): HasIndex =>
  (kind, index) =>
    kind.shape.scope === 'agnostic'
      ? shared === undefined || keeps(shared, kind, index)
      : below.every(layout => keeps(layout, kind, index));

export const hasUniqueIn =
  ({below}: IndexKeepers): HasIndex =>
  (kind, constraint) => {
    const here = kind.unique.find(unique => unique.serial === constraint);
    return (
      kind.shape.scope === 'agnostic' ||
      below.every(layout => {
        const there = layout.bySerial.get(kind.serial);
        return (
          there === undefined ||
          there.unique.some(unique => unique.serial === constraint && unique.signature === here?.signature)
        );
      })
    );
  };

/** Everything needed to answer questions at one point. */
export function* queriesAt(context: GraphContext, branch: number, at: Instant): Work<Queries> {
  const {book, views, names, dialect, cache} = context;
  const known = views.get(book, branch, at);
  if (known !== undefined) return known;
  const lineage = book.lineage(branch, at);
  const layout = yield* layoutOf(context, lineage);
  const keepers = yield* indexKeepers(context, lineage, branch, at);
  const reader = new Reader(lineage, layout, dialect, cache);
  const queries = new Queries(reader, hasIndexIn(keepers), kind => names.memberships(kind));
  views.set(branch, at, queries);
  return queries;
}
