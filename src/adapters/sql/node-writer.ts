import {assert} from '../../base/assert.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {FOREVER} from '../../domain/time/instant.ts';
import type {StoredDocument} from './document.ts';
import {copyDocument, holds} from './document.ts';
import type {DraftState} from './draft-state.ts';
import type {KindLayout} from './layout.ts';
import {orderKey, slotValue, valueKey} from './layout.ts';
import {GLOBAL_SERIAL, levelsOf} from './lineage.ts';
import {checksum} from './sealed-text.ts';
import type {Statement, Work} from './statement.ts';
import {blind, Parameters, read} from './statement.ts';
import {StoredNode} from './stored-node.ts';
import {hiddenVersion, versionAt} from './visibility.ts';

const CLOSE_VERSION = 'UPDATE ver SET t = ?2 WHERE vid = ?1';
const CLOSE_PARTS = 'UPDATE ver SET t = ?2 WHERE node = ?1 AND t = ?3 AND del = 2 AND f < ?2';
const REWRITE_VERSION = 'UPDATE ver SET doc = ?2, crc = ?3, sk = ?4 WHERE vid = ?1';
const REORDER_VERSION = 'UPDATE ver SET sk = ?2 WHERE vid = ?1';
const REMOVE_VERSION = 'DELETE FROM ver WHERE vid = ?1';
const INSERT_VERSION = `INSERT INTO ver (vid, node, branch, t, f, kind, del, crc, sk, doc)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`;
const OPEN_ENTRY = 'INSERT INTO ix (branch, attr, val, sk, node, f) VALUES (?1, ?2, ?3, ?4, ?5, ?6)';
const KEEP_ENTRY = 'INSERT INTO ixh (branch, attr, val, sk, node, t, f) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)';
const DROP_ENTRY = `DELETE FROM ix WHERE branch = ?1 AND attr = ?2 AND val = ?3 AND sk = ?4 AND node = ?5
  RETURNING f`;
const MOVE_ENTRY = `WITH gone AS (${DROP_ENTRY}) INSERT INTO ixh (branch, attr, val, sk, node, t, f)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, f FROM gone WHERE f < ?6`;

type Entry = readonly [index: number, value: string];

/** The index entries of a version: its place among its kind, and its indexed values. */
export function entriesOf(layout: KindLayout, document: StoredDocument): readonly Entry[] {
  const entries: Entry[] = [[layout.membership, '']];
  for (const slot of layout.indexed) {
    // An object older than the attribute has no entry: the late value is answered without the index.
    if (slot.shape.late !== undefined && !holds(document, slot.slot)) continue;
    entries.push([slot.index!, valueKey(slot.shape, 'value', slotValue(document, slot))]);
  }
  return entries;
}

/** Gives the branch its own version of a node with nothing changed in it. */
export function* copyVersion(state: DraftState, node: StoredNode): Work<StoredNode> {
  const document = copyDocument(node.document, node.since, state.at);
  state.copiedNodes.add(node.serial);
  state.kindsOfTouched.add(node.layout.shape);
  return yield* followVersion(state, node, document);
}

/** Gives a node a version with another order key, so that the past keeps the order it had. */
export function* reorderVersion(state: DraftState, node: StoredNode, key: string): Work<void> {
  if (node.since === state.at) {
    yield blind(REORDER_VERSION, [node.versionSerial, key]);
    return;
  }
  yield blind(CLOSE_VERSION, [node.versionSerial, state.at]);
  const document = copyDocument(node.document, node.since, state.at);
  const version = nextVersion(state, node.branch);
  yield versionRow(state, version, node, 0, key, JSON.stringify(document));
}

/** Ends a row of the draft's branch; one of this same commit never was. */
export function* closeRow(state: DraftState, version: number, since: Instant): Work<void> {
  yield since === state.at ? blind(REMOVE_VERSION, [version]) : blind(CLOSE_VERSION, [version, state.at]);
}

/** Follows a row of the draft's branch by another with this document; its index entries are the caller's. */
export function* replaceRow(
  state: DraftState,
  node: StoredNode,
  document: StoredDocument,
  del: 0 | 2 = 0,
): Work<void> {
  yield* closeRow(state, node.versionSerial, node.since);
  const key = del === 2 ? '' : orderKey(state.indexing(node.layout), document);
  const version = nextVersion(state, node.branch);
  yield versionRow(state, version, node, del, key, JSON.stringify(document));
}

/** Opens the first version of a node that is not visible on its branch yet. */
export function* openVersion(
  state: DraftState,
  serial: number,
  layout: KindLayout,
  document: StoredDocument,
): Work<StoredNode> {
  const branch = state.home(layout.shape.scope);
  const indexing = state.indexing(layout);
  const key = orderKey(indexing, document);
  const node = new StoredNode(serial, layout, nextVersion(state, branch), branch, state.at, document);
  yield versionRow(state, node.versionSerial, node, 0, key, JSON.stringify(document));
  for (const [index, value] of entriesOf(indexing, document)) {
    yield blind(OPEN_ENTRY, [branch, index, value, key, serial, state.at]);
  }
  state.touchNode(serial, layout);
  return node;
}

/** Follows a visible version by another, with something changed in it. */
export function* replaceVersion(
  state: DraftState,
  before: StoredNode,
  document: StoredDocument,
): Work<StoredNode> {
  state.touchNode(before.serial, before.layout);
  return yield* followVersion(state, before, document);
}

/** A version of this same commit is rewritten in place. */
function* followVersion(state: DraftState, before: StoredNode, document: StoredDocument): Work<StoredNode> {
  const {layout, serial} = before;
  const branch = state.home(layout.shape.scope);
  const isOwn = before.branch === branch;
  const indexing = state.indexing(layout);
  const oldEntries = isOwn ? entriesOf(indexing, before.document) : [];
  const oldKey = orderKey(indexing, before.document);
  const newKey = orderKey(indexing, document);
  const text = JSON.stringify(document);
  const isRewritten = isOwn && before.since === state.at;
  const version = isRewritten ? before.versionSerial : nextVersion(state, branch);
  const node = new StoredNode(serial, layout, version, branch, state.at, document);
  if (isRewritten) {
    yield blind(REWRITE_VERSION, [version, text, checksum(text), newKey]);
  } else {
    if (isOwn) yield blind(CLOSE_VERSION, [before.versionSerial, state.at]);
    yield versionRow(state, version, node, 0, newKey, text);
  }
  state.cache.set(version, node);
  yield* moveEntries(state, branch, serial, oldEntries, oldKey, entriesOf(indexing, document), newKey);
  return node;
}

/** Ends a visible node on its branch; a tombstone hides the origin's version where there is one. */
export function* endVersion(state: DraftState, before: StoredNode): Work<void> {
  const {layout, serial} = before;
  const branch = state.home(layout.shape.scope);
  if (branch === GLOBAL_SERIAL) state.writesGlobal = true;
  if (before.branch === branch) {
    const indexing = state.indexing(layout);
    const oldKey = orderKey(indexing, before.document);
    yield* moveEntries(state, branch, serial, entriesOf(indexing, before.document), oldKey, [], '');
    if (before.since === state.at) yield blind(REMOVE_VERSION, [before.versionSerial]);
    else yield blind(CLOSE_VERSION, [before.versionSerial, state.at]);
  }
  if (layout.isMixed && layout.shape.scope === 'agnostic')
    yield blind(CLOSE_PARTS, [serial, state.at, FOREVER]);
  if (yield* isVisibleBelow(state, layout, serial)) {
    yield versionRow(state, nextVersion(state, branch), {serial, branch, layout}, 1, '', '{}');
  }
  state.touchNode(serial, layout);
}

/** Ends a tombstone of this branch, so that the node may come back. */
export function* liftTombstone(state: DraftState, serial: number, branch: number): Work<void> {
  const rows = yield read('SELECT vid, f FROM ver WHERE node = ?1 AND branch = ?2 AND t = ?3 AND del = 1', [
    serial,
    branch,
    FOREVER,
  ]);
  for (const [version, since] of rows) {
    if (since === state.at) yield blind(REMOVE_VERSION, [version!]);
    else yield blind(CLOSE_VERSION, [version!, state.at]);
  }
}

/** Writes the attributes of a mixed kind that live on another branch than the node. */
export function* writePart(state: DraftState, node: StoredNode, document: StoredDocument): Work<StoredNode> {
  const branch = node.layout.shape.scope === 'agnostic' ? state.branch : state.home('agnostic');
  const own = yield read('SELECT vid, f FROM ver WHERE node = ?1 AND branch = ?2 AND t = ?3 AND del = 2', [
    node.serial,
    branch,
    FOREVER,
  ]);
  const row = own[0];
  const text = JSON.stringify(document);
  const isRewritten = row?.[1] === state.at;
  const version = isRewritten ? (row![0] as number) : nextVersion(state, branch);
  if (isRewritten) {
    yield blind(REWRITE_VERSION, [version, text, checksum(text), '']);
  } else {
    if (row !== undefined) yield blind(CLOSE_VERSION, [row[0]!, state.at]);
    yield versionRow(state, version, {serial: node.serial, branch, layout: node.layout}, 2, '', text);
  }
  state.touchNode(node.serial, node.layout);
  return node.withPart({version, since: state.at, document});
}

/** Brings the index entries of one branch from an old set to a new one; entries that stay keep their age. */
export function* moveEntries(
  state: DraftState,
  branch: number,
  serial: number,
  before: readonly Entry[],
  beforeKey: string,
  after: readonly Entry[],
  afterKey: string,
): Work<void> {
  const isSame = (a: Entry, list: readonly Entry[]) =>
    beforeKey === afterKey && list.some(b => b[0] === a[0] && b[1] === a[1]);
  for (const entry of before) {
    if (isSame(entry, after)) continue;
    const place = [branch, entry[0], entry[1], beforeKey, serial] as const;
    if (state.dialect.movesRows) {
      yield blind(MOVE_ENTRY, [...place, state.at]);
      continue;
    }
    for (const [since] of yield read(DROP_ENTRY, place)) {
      if ((since as number) < state.at) yield blind(KEEP_ENTRY, [...place, state.at, since!]);
    }
  }
  for (const entry of after) {
    if (isSame(entry, before)) continue;
    yield blind(OPEN_ENTRY, [branch, entry[0], entry[1], afterKey, serial, state.at]);
  }
}

/** The number of a version that is about to be written on the branch. */
function nextVersion(state: DraftState, branch: number): number {
  if (branch === GLOBAL_SERIAL) state.writesGlobal = true;
  state.counters.version += 1;
  return state.counters.version;
}

function versionRow(
  state: DraftState,
  version: number,
  {serial, branch, layout}: Pick<StoredNode, 'serial' | 'branch' | 'layout'>,
  del: 0 | 1 | 2,
  key: string,
  text: string,
): Statement {
  assert(state.at < FOREVER, 'a commit lies before the end of time');
  const crc = checksum(text);
  return blind(INSERT_VERSION, [
    version,
    serial,
    branch,
    FOREVER,
    state.at,
    layout.serial,
    del,
    crc,
    key,
    text,
  ]);
}

function* isVisibleBelow(state: DraftState, layout: KindLayout, serial: number): Work<boolean> {
  const below = levelsOf(state.lineage, layout.shape.scope).slice(1);
  if (below.length === 0) return false;
  const parameters = new Parameters();
  const node = parameters.bind(serial);
  const arms = below.map(
    (level, depth) => `SELECT v.vid FROM ver v WHERE ${versionAt(level, 'v', node, parameters)} AND v.del = 0
      ${hiddenVersion(below.slice(0, depth), 'v.node', parameters)}`,
  );
  return (yield read(arms.join(' UNION ALL '), parameters.values)).length > 0;
}
