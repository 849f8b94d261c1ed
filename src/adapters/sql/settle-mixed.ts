import type {AttributeState} from '../../domain/graph/node.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {FOREVER} from '../../domain/time/instant.ts';
import type {StoredDocument} from './document.ts';
import {holds, makeDocument, sameState, slotState, statesOf} from './document.ts';
import type {DraftState} from './draft-state.ts';
import type {KindLayout} from './layout.ts';
import {orderKey} from './layout.ts';
import {closeRow, entriesOf, moveEntries, replaceRow} from './node-writer.ts';
import {parseDocument} from './reader.ts';
import type {Row, Work} from './statement.ts';
import {read} from './statement.ts';
import {StoredNode} from './stored-node.ts';
import type {KnownPeers} from './unique-keys.ts';
import {freeKeys, keyPeers, keysAmong} from './unique-keys.ts';

/** Ends what a branch says of nodes whose kinds have local data, one by one: the local data stays with it. */
export function* settleMixed(origin: DraftState, own: DraftState, serials: readonly number[]): Work<void> {
  const rows = yield* ownRows(own, serials);
  const peers = yield* keyPeers(own, keyHolders(own, rows));
  for (const row of rows) yield* settleRow(origin, own, row, peers);
}

/** The open rows of some nodes on the branch itself. */
function* ownRows(own: DraftState, serials: readonly number[]): Work<readonly Row[]> {
  return yield read(
    `SELECT v.vid, v.f, v.kind, v.del, v.crc, v.doc, v.node FROM ${own.dialect.integers('?1')} p CROSS JOIN ver v
     WHERE v.node = p.value AND v.branch = ?2 AND v.t = ?3`,
    [JSON.stringify(serials), own.branch, FOREVER],
  );
}

/** The nodes among the rows that hold unique keys. */
function* keyHolders(
  own: DraftState,
  rows: readonly Row[],
): Generator<Pick<StoredNode, 'layout' | 'serial'>> {
  for (const row of rows) {
    const layout = row[3] === 0 ? own.layout.bySerial.get(row[2] as number) : undefined;
    if (layout !== undefined) yield {layout, serial: row[6] as number};
  }
}

function* settleRow(origin: DraftState, own: DraftState, row: Row, peers: KnownPeers): Work<void> {
  const layout = own.layout.bySerial.get(row[2] as number);
  if (layout?.shape.scope === 'local') return;
  if (row[3] === 1 || layout === undefined) yield* closeRow(own, row[0] as number, row[1] as Instant);
  else if (row[3] === 2) yield* settlePart(own, layout, row);
  else yield* settleVersion(origin, own, row[6] as number, layout, row, peers);
}

function* settleVersion(
  origin: DraftState,
  own: DraftState,
  serial: number,
  layout: KindLayout,
  row: Row,
  peers: KnownPeers,
): Work<void> {
  const [version, since, , , crc, text] = row as [number, Instant, number, number, number, string];
  const document = parseDocument(version, crc, text);
  const node = new StoredNode(serial, layout, version, own.branch, since, document);
  yield* freeKeys(own, serial, own.branch, keysAmong(node, peers));
  const entries = entriesOf(layout, document);
  const key = orderKey(layout, document);
  const rest = yield* localRest(origin, node);
  if (rest === undefined) {
    yield* moveEntries(own, own.branch, serial, entries, key, [], '');
    yield* closeRow(own, version, since);
    return;
  }
  yield* moveEntries(own, own.branch, serial, entries, key, entriesOf(layout, rest), orderKey(layout, rest));
  yield* replaceRow(own, node, rest);
}

/** The merged version with the branch's own local values in it, when those differ; else nothing stays. */
function* localRest(origin: DraftState, node: StoredNode): Work<StoredDocument | undefined> {
  const local = [...node.layout.slots.values()].filter(slot => slot.shape.scope === 'local');
  if (local.length === 0) return undefined;
  const [merged] = yield* origin.reader.load(yield* origin.reader.versions([node.serial]));
  if (merged === undefined) return undefined;
  const states = statesOf(merged.document, merged.since);
  let differs = false;
  for (const {slot, shape} of local) {
    const ours = slotState(node.document, node.since, slot, shape.late);
    const theirs = slotState(merged.document, merged.since, slot, shape.late);
    if (sameState(ours, theirs)) continue;
    states[slot] = ours;
    differs = true;
  }
  return differs ? makeDocument(node.id, merged.document.c, node.since, states) : undefined;
}

/** Of the attributes that an agnostic object has on this branch alone, the local ones stay. */
function* settlePart(own: DraftState, layout: KindLayout, row: Row): Work<void> {
  const [version, since, , , crc, text] = row as [number, Instant, number, number, number, string];
  const document = parseDocument(version, crc, text);
  const states: (AttributeState | undefined)[] = [];
  for (const {slot, shape, isPart} of layout.slots.values()) {
    if (isPart && shape.scope === 'local' && holds(document, slot)) {
      states[slot] = slotState(document, since, slot, undefined);
    }
  }
  if (states.length === 0) {
    yield* closeRow(own, version, since);
    return;
  }
  const serial = row[6] as number;
  const node = new StoredNode(serial, layout, version, own.branch, since, document);
  yield* replaceRow(own, node, makeDocument(document.i, document.c, since, states), 2);
}
