import {canonicalJson, type Json} from '../../base/json.ts';
import {parseInterface} from '../../domain/attribute/ip.ts';
import type {AttributeKind} from '../../domain/attribute/kinds.ts';
import {parseIsoMicros} from '../../domain/time/instant.ts';

/** A value with what its order depends on. */
export interface Typed {
  readonly kind: AttributeKind;
  readonly value: Json;
}

export const NOTHING: Typed = {kind: 'Any', value: null};

const RANK = ['null', 'boolean', 'ip', 'json', 'number', 'text'] as const;

/** Only what is of one type has an order to test for. */
export const isComparable = (a: Typed, b: Typed): boolean => comparable(a).rank === comparable(b).rank;

/** Null first, then by type; each type in its own order. */
export function compareTyped(a: Typed, b: Typed): number {
  const [left, right] = [comparable(a), comparable(b)];
  if (left.rank !== right.rank) return RANK.indexOf(left.rank) - RANK.indexOf(right.rank);
  for (const [index, part] of left.parts.entries()) {
    const other = right.parts[index]!;
    const isText = typeof part === 'string' || typeof other === 'string';
    const order = isText ? compareBytes(`${part}`, `${other}`) : compareNumbers(part, other);
    if (order !== 0) return order;
  }
  return 0;
}

type Part = string | number | bigint;

function comparable({kind, value}: Typed): {
  readonly rank: (typeof RANK)[number];
  readonly parts: readonly Part[];
} {
  if (value === null) return {rank: 'null', parts: []};
  if (typeof value === 'boolean') return {rank: 'boolean', parts: [value ? 1 : 0]};
  if (typeof value === 'number') return {rank: 'number', parts: [value]};
  if (typeof value !== 'string') return {rank: 'json', parts: [canonicalJson(value)]};
  const address = kind === 'IPHost' || kind === 'IPNetwork' ? parseInterface(value) : null;
  if (address !== null) return {rank: 'ip', parts: [address.version, address.bits, address.prefixLength]};
  const micros = kind === 'DateTime' ? parseIsoMicros(value) : undefined;
  return {rank: 'text', parts: [micros ?? value]};
}

const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const compareNumbers = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : a > b ? 1 : 0);

export function compareLists(a: readonly Typed[], b: readonly Typed[]): number {
  for (const [index, item] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareTyped(item, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
