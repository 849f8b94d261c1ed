import {FOREVER} from '../../domain/time/instant.ts';
import type {KindRecord} from '../../ports/graph-store.ts';
import type {DraftState} from './draft-state.ts';
import type {DraftWork} from './draft-work.ts';
import type {KindLayout} from './layout.ts';
import {layoutKind, orderKey} from './layout.ts';
import {sameConstraints} from './new-constraints.ts';
import {entriesOf, moveEntries, reorderVersion} from './node-writer.ts';
import {WHOLE} from './page-slice.ts';
import {sealed, unsealed} from './sealed-text.ts';
import type {Work} from './statement.ts';
import {blind, read} from './statement.ts';
import type {StoredNode} from './stored-node.ts';

const OWN = 'SELECT f, del, doc FROM kind_ver WHERE branch = ?1 AND kind = ?2 AND t = ?3';
const CLOSE = 'UPDATE kind_ver SET t = ?4 WHERE branch = ?1 AND kind = ?2 AND t = ?3';
const REMOVE = 'DELETE FROM kind_ver WHERE branch = ?1 AND kind = ?2 AND t = ?3';
const RECORDS = 'SELECT doc FROM kind_ver WHERE branch = ?1 AND kind = ?2 AND f < ?3 AND del = 0';
const INSERT = 'INSERT INTO kind_ver (branch, kind, t, f, del, doc) VALUES (?1, ?2, ?3, ?4, ?5, ?6)';

/** Writes a kind of the branch's schema and brings the indexes of its objects in step. */
export function* putKind(work: DraftWork, record: KindRecord): Work<void> {
  const {state} = work;
  const before = state.kindById(record.shape.id);
  const text = JSON.stringify(record);
  if (before !== undefined && JSON.stringify(before.record) === text) return;
  yield* writeRow(state, record.shape.id, 0, text);
  const after = layoutKind(record, state.names);
  if (before !== undefined && state.indexing(before) === before) {
    if (!sameConstraints(before, after)) {
      for (const node of yield* ownNodes(state, before)) yield* work.keys.remember(node);
    }
    yield* reindexKind(state, before, after);
  }
  state.setKind(record.shape.id, after);
}

/** Removes a kind from the branch's schema and ends all its objects. */
export function* dropKind(work: DraftWork, id: string): Work<void> {
  const {state} = work;
  const layout = state.kindById(id);
  if (layout === undefined) return;
  for (const node of yield* visibleNodes(state, layout)) yield* work.delete(node.id);
  yield* writeRow(state, id, 1, 'null');
  state.setKind(id, undefined);
}

function* writeRow(state: DraftState, id: string, del: 0 | 1, text: string): Work<void> {
  const own = (yield read(OWN, [state.branch, id, FOREVER]))[0];
  if (own !== undefined) {
    const place = [state.branch, id, FOREVER];
    yield own[0] === state.at ? blind(REMOVE, place) : blind(CLOSE, [...place, state.at]);
  }
  yield blind(INSERT, [state.branch, id, FOREVER, state.at, del, sealed(text)]);
}

/**
 * Entries of an index that goes are closed, and those of one that comes are opened, for the objects that live on
 * this branch. What the branch sees of its origin keeps the origin's indexes. An attribute that is new has no
 * values yet, and one that is gone is not asked for: neither costs anything. One that was gone and comes back, which
 * a merge can do, finds old values in the documents and old entries in its index, and is indexed anew.
 */
export function* reindexKind(state: DraftState, before: KindLayout, after: KindLayout): Work<void> {
  const returned = yield* returnedAttributes(state, before, after);
  const branch = state.home(before.shape.scope);
  for (const {shape, index} of after.indexed) {
    if (returned.has(shape.id)) yield* closeIndex(state, branch, index!);
  }
  const known = new Set([...Array.from(before.slots.values(), slot => slot.shape.id), ...returned]);
  const kept = new Set(Array.from(after.slots.values(), slot => slot.shape.id));
  const old = withIndexes(before, slot => kept.has(slot.shape.id));
  const now = withIndexes(after, slot => known.has(slot.shape.id));
  if (before.membership === after.membership && indexesOf(old) === indexesOf(now)) return;
  for (const node of yield* ownNodes(state, before)) {
    const {serial, document} = node;
    const key = orderKey(after, document);
    const [ended, opened] = [entriesOf(old, document), entriesOf(now, document)];
    yield* moveEntries(state, node.branch, serial, ended, node.orderKey, opened, key);
    if (key !== node.orderKey) yield* reorderVersion(state, node, key);
  }
}

/** Attributes that the kind has had before on this branch or on one below it, and had no longer. */
function* returnedAttributes(
  state: DraftState,
  before: KindLayout,
  after: KindLayout,
): Work<ReadonlySet<string>> {
  const had = new Set(Array.from(before.slots.values(), slot => slot.shape.id));
  const added = after.indexed.filter(({shape}) => !had.has(shape.id)).map(({shape}) => shape.id);
  const returned = new Set<string>();
  if (added.length === 0) return returned;
  for (const {branch} of state.lineage.branch) {
    for (const [text] of yield read(RECORDS, [branch, after.shape.id, state.at])) {
      const record = JSON.parse(unsealed(text as string, 'The schema')) as KindRecord | null;
      for (const {id} of record?.shape.attributes ?? []) if (added.includes(id)) returned.add(id);
    }
  }
  return returned;
}

/** Ends every entry of an index on a branch. */
function* closeIndex(state: DraftState, branch: number, index: number): Work<void> {
  const rows = yield read('SELECT val, sk, node FROM ix WHERE branch = ?1 AND attr = ?2', [branch, index]);
  for (const [val, key, serial] of rows) {
    const entry = [index, val as string] as const;
    yield* moveEntries(state, branch, serial as number, [entry], key as string, [], '');
  }
}

function* visibleNodes(state: DraftState, kind: KindLayout): Work<readonly StoredNode[]> {
  const selection = yield* state.queries.select(kind, []);
  if (selection === undefined) return [];
  return yield* state.reader.load(yield* state.queries.placed(selection, WHOLE));
}

function* ownNodes(state: DraftState, layout: KindLayout): Work<readonly StoredNode[]> {
  const branch = state.home(layout.shape.scope);
  const rows = yield read(`SELECT node FROM ix WHERE branch = ?1 AND attr = ?2 AND val = ''`, [
    branch,
    layout.membership,
  ]);
  const versions = yield* state.reader.versions(rows.map(row => row[0] as number));
  return yield* state.reader.load(versions);
}

const withIndexes = (
  layout: KindLayout,
  isKept: (slot: KindLayout['indexed'][number]) => boolean,
): KindLayout => ({
  ...layout,
  indexed: layout.indexed.filter(slot => isKept(slot)),
});

const indexesOf = (layout: KindLayout): string =>
  layout.indexed
    .map(slot => slot.index!)
    .sort((a, b) => a - b)
    .join();
