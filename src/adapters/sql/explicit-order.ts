import {compositeKey} from '../../domain/attribute/sort-key.ts';
import type {Order} from '../../domain/query/node-query.ts';
import {valueKey} from './layout.ts';
import {levelsOf} from './lineage.ts';
import type {Reader} from './reader.ts';
import type {Work} from './statement.ts';
import type {StoredNode} from './stored-node.ts';

const INSTANT_DIGITS = 16;
const LAST_CODE_POINT = 0x10fffd;
const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/** The key of each node in the asked order, as text that sorts by its bytes. */
export function* explicitKeys(
  reader: Reader,
  nodes: readonly StoredNode[],
  order: readonly Order[],
): Work<readonly string[]> {
  const parts: string[][] = nodes.map(() => []);
  for (const item of order) {
    const keys =
      item.by === 'attribute'
        ? yield* attributeKeys(reader, nodes, item.path)
        : nodes.map(node => String(node[item.by]).padStart(INSTANT_DIGITS, '0'));
    for (const [place, key] of keys.entries()) parts[place]!.push(item.descending ? inverted(key) : key);
  }
  return parts.map(keys => compositeKey(keys));
}

function* attributeKeys(
  reader: Reader,
  nodes: readonly StoredNode[],
  path: Extract<Order, {by: 'attribute'}>['path'],
): Work<string[]> {
  const through = path.relationship;
  if (through === undefined) return nodes.map(node => keyOf(node, path.attribute, path.property));
  const keys = new Map<number, string>();
  const codes = new Map<
    number,
    {readonly scope: 'aware' | 'agnostic' | 'local'; readonly sources: number[]}
  >();
  for (const node of nodes) {
    const relationship = node.layout.relationships.get(through);
    if (relationship === undefined) continue;
    const group = codes.get(relationship.code) ?? {scope: relationship.shape.scope, sources: []};
    group.sources.push(node.serial);
    codes.set(relationship.code, group);
  }
  for (const [code, group] of codes) {
    const edges = yield* reader.edges(group.sources, code, levelsOf(reader.lineage, group.scope));
    const versions = yield* reader.versions([...new Set(edges.map(edge => edge.target))]);
    const peers = new Map((yield* reader.load(versions)).map(peer => [peer.serial, peer]));
    for (const edge of edges) {
      const peer = peers.get(edge.target);
      if (peer !== undefined) keys.set(edge.source, keyOf(peer, path.attribute, path.property));
    }
  }
  return nodes.map(node => keys.get(node.serial) ?? '');
}

function keyOf(node: StoredNode, attribute: string, property: string): string {
  const slot = node.layout.slots.get(attribute);
  return slot === undefined ? '' : valueKey(slot.shape, property, node.value(attribute));
}

/** A text that sorts the other way round: each code point mirrored, the end made the greatest. */
function inverted(key: string): string {
  let text = '';
  for (const character of key) {
    let point = character.codePointAt(0)!;
    if (point >= FIRST_SURROGATE + SURROGATES) point -= SURROGATES;
    let mirrored = LAST_CODE_POINT - SURROGATES - point;
    if (mirrored >= FIRST_SURROGATE) mirrored += SURROGATES;
    text += String.fromCodePoint(mirrored);
  }
  return `${text}\u{10ffff}`;
}
