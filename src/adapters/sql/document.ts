import type {Json} from '../../base/json.ts';
import {sameJson} from '../../base/json.ts';
import type {AttributeState, AttributeWrite} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';

/**
 * A version of a node as it is stored: values in an array by slot, and metadata only where it says something.
 * A slot beyond the array or listed in `h` was never written: the object is older than the attribute.
 */
export interface StoredDocument {
  /** The node's id. */
  readonly i: NodeId;
  /** When the node was created. */
  readonly c: number;
  /** When a value last changed, in a version that is a mere copy of the one before. */
  readonly a?: number;
  readonly v: readonly Json[];
  readonly h?: readonly number[];
  /** Slots that nobody chose a value for. */
  readonly d?: readonly number[];
  /** Slots whose value comes from a profile. */
  readonly p?: readonly number[];
  readonly m?: Readonly<Record<number, SlotMetadata>>;
  /** Slots last written before this version: groups of `[instant, slot, slot, …]`. */
  readonly u?: readonly (readonly number[])[];
}

interface SlotMetadata {
  /** Source and owner. */
  readonly s?: NodeId;
  readonly o?: NodeId;
  /** Protected, hidden. */
  readonly p?: 1;
  readonly h?: 1;
}

export const holds = (document: StoredDocument, slot: number): boolean =>
  slot < document.v.length && (document.h === undefined || !document.h.includes(slot));

export function slotUpdatedAt(document: StoredDocument, since: Instant, slot: number): Instant {
  if (document.u !== undefined) {
    for (const group of document.u) if (group.indexOf(slot, 1) > 0) return group[0] as Instant;
  }
  return since;
}

/** When a value last changed: when the version was written, unless it is a mere copy. */
export const documentUpdatedAt = (document: StoredDocument, since: Instant): Instant =>
  (document.a ?? since) as Instant;

/** The document of a version that follows another with nothing changed in it. */
export function copyDocument(document: StoredDocument, since: Instant, at: Instant): StoredDocument {
  const copy = makeDocument(document.i, document.c, at, statesOf(document, since));
  return {...copy, a: documentUpdatedAt(document, since)};
}

/** The states of a document's slots; a hole where the object is older than the attribute. */
export function statesOf(document: StoredDocument, since: Instant): (AttributeState | undefined)[] {
  const states: (AttributeState | undefined)[] = [];
  for (let slot = 0; slot < document.v.length; slot += 1) {
    states.push(holds(document, slot) ? slotState(document, since, slot, undefined) : undefined);
  }
  return states;
}

export function slotState(
  document: StoredDocument,
  since: Instant,
  slot: number,
  late: Json | undefined,
): AttributeState {
  if (!holds(document, slot)) {
    return {
      value: late ?? null,
      isDefault: true,
      isFromProfile: false,
      isProtected: false,
      isVisible: true,
      source: null,
      owner: null,
      updatedAt: document.c as Instant,
    };
  }
  const metadata = document.m?.[slot];
  return {
    value: document.v[slot] ?? null,
    isDefault: document.d?.includes(slot) ?? false,
    isFromProfile: document.p?.includes(slot) ?? false,
    isProtected: metadata?.p === 1,
    isVisible: metadata?.h !== 1,
    source: metadata?.s ?? null,
    owner: metadata?.o ?? null,
    updatedAt: slotUpdatedAt(document, since, slot),
  };
}

/** The state of an attribute that is written for the first time; unset where nothing is said of it. */
export const firstState = (write: AttributeWrite | undefined, at: Instant): AttributeState => ({
  value: write?.value ?? null,
  isDefault: write?.isDefault ?? write?.value === undefined,
  isFromProfile: write?.isFromProfile ?? false,
  isProtected: write?.isProtected ?? false,
  isVisible: write?.isVisible ?? true,
  source: write?.source ?? null,
  owner: write?.owner ?? null,
  updatedAt: at,
});

/** The state after a write; the same object when the write changes nothing. */
export function writtenState(before: AttributeState, write: AttributeWrite, at: Instant): AttributeState {
  const after: AttributeState = {
    value: write.value === undefined ? before.value : write.value,
    isDefault: write.isDefault ?? (write.value === undefined ? before.isDefault : false),
    isFromProfile: write.isFromProfile ?? (write.value === undefined ? before.isFromProfile : false),
    isProtected: write.isProtected ?? before.isProtected,
    isVisible: write.isVisible ?? before.isVisible,
    source: write.source === undefined ? before.source : write.source,
    owner: write.owner === undefined ? before.owner : write.owner,
    updatedAt: at,
  };
  return sameState(before, after) ? before : after;
}

export const sameState = (a: AttributeState, b: AttributeState): boolean =>
  a.isDefault === b.isDefault &&
  a.isFromProfile === b.isFromProfile &&
  a.isProtected === b.isProtected &&
  a.isVisible === b.isVisible &&
  a.source === b.source &&
  a.owner === b.owner &&
  sameJson(a.value, b.value);

/** Whether both documents say the same of a slot, told without making its states. */
export const sameSlot = (a: StoredDocument, b: StoredDocument, slot: number): boolean =>
  sameJson(a.v[slot] ?? null, b.v[slot] ?? null) &&
  slot < a.v.length === slot < b.v.length &&
  isAmong(a.h, slot) === isAmong(b.h, slot) &&
  isAmong(a.d, slot) === isAmong(b.d, slot) &&
  isAmong(a.p, slot) === isAmong(b.p, slot) &&
  (a.m === b.m || sameJson((a.m?.[slot] ?? null) as Json, (b.m?.[slot] ?? null) as Json));

const isAmong = (slots: readonly number[] | undefined, slot: number): boolean =>
  slots?.includes(slot) ?? false;

/** Puts a document together from the states of its slots; one that is missing leaves a hole. */
export function makeDocument(
  id: NodeId,
  created: number,
  at: Instant,
  states: readonly (AttributeState | undefined)[],
): StoredDocument {
  const v: Json[] = [];
  let h: number[] | undefined;
  let d: number[] | undefined;
  let p: number[] | undefined;
  let m: Record<number, SlotMetadata> | undefined;
  let u: number[][] | undefined;
  for (let slot = 0; slot < states.length; slot += 1) {
    const state = states[slot];
    if (state === undefined) {
      h ??= [];
      h.push(slot);
      v.push(null);
      continue;
    }
    v.push(state.value);
    if (state.isDefault) {
      d ??= [];
      d.push(slot);
    }
    if (state.isFromProfile) {
      p ??= [];
      p.push(slot);
    }
    if (state.source !== null || state.owner !== null || state.isProtected || !state.isVisible) {
      m ??= {};
      m[slot] = {
        ...(state.source === null ? {} : {s: state.source}),
        ...(state.owner === null ? {} : {o: state.owner}),
        ...(state.isProtected ? {p: 1} : {}),
        ...(state.isVisible ? {} : {h: 1}),
      };
    }
    if (state.updatedAt !== at) {
      u ??= [];
      const group = u.find(item => item[0] === state.updatedAt);
      if (group === undefined) u.push([state.updatedAt, slot]);
      else group.push(slot);
    }
  }
  return {
    i: id,
    c: created,
    v,
    ...(h === undefined ? {} : {h}),
    ...(d === undefined ? {} : {d}),
    ...(p === undefined ? {} : {p}),
    ...(m === undefined ? {} : {m}),
    ...(u === undefined ? {} : {u}),
  };
}
