import type {Json} from '../../base/json.ts';
import {Slices} from '../../base/slices.ts';
import type {AttributeChange, EdgeChange, NodeChange} from '../../domain/diff/change.ts';
import {type AttributeState, type EdgeProperties, PLAIN_EDGE} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';

/*
 * Changes as they travel between threads. Written out as objects they would be three times as long, most of it names of
 * fields; and copying objects takes longer still.
 */
export interface PackedChanges {
  /** Few, since a commit changes much at one instant. The texts say their places. */
  readonly instants: readonly number[];
  /** Some changes each, so that reading them can be cut into pieces. */
  readonly texts: readonly string[];
}

type PackedChange = readonly [
  id: NodeId,
  kind: string,
  action: number,
  changedAt: number,
  attributes: readonly PackedAttribute[],
  edges: readonly PackedEdge[],
];

type PackedAttribute = readonly [name: string, before: PackedState, after: PackedState];

type PackedState =
  | typeof ABSENT
  | readonly [value: Json, marks: number, updatedAt: number]
  | readonly [value: Json, marks: number, updatedAt: number, source: NodeId | null, owner: NodeId | null];

type PackedEdge = readonly [
  relationship: string,
  peer: NodeId,
  before: PackedProperties,
  after: PackedProperties,
];

type PackedProperties =
  | typeof ABSENT
  | typeof PLAIN
  | readonly [marks: number, source: NodeId | null, owner: NodeId | null];

const ABSENT = 0;
const PLAIN = 1;
const ACTIONS = ['added', 'updated', 'removed'] as const satisfies readonly NodeChange['action'][];
const MARK = {isDefault: 1, isFromProfile: 2, isProtected: 4, isHidden: 8} as const;
const PIECE_CHANGES = 250;

export function packChanges(changes: readonly NodeChange[]): PackedChanges {
  const packing = new Packing();
  const texts: string[] = [];
  for (let from = 0; from < changes.length; from += PIECE_CHANGES) {
    texts.push(
      JSON.stringify(changes.slice(from, from + PIECE_CHANGES).map(change => packing.change(change))),
    );
  }
  return {instants: packing.instants, texts};
}

/** Long lists are unpacked piece by piece. */
export async function unpackChanges({instants, texts}: PackedChanges): Promise<readonly NodeChange[]> {
  const changes: NodeChange[] = [];
  const slices = new Slices();
  const unpacking = new Unpacking(instants);
  for (const text of texts) {
    for (const change of JSON.parse(text) as readonly PackedChange[]) changes.push(unpacking.change(change));
    if (slices.isOver) await slices.next();
  }
  return changes;
}

class Packing {
  readonly instants: number[] = [];
  readonly #places = new Map<number, number>();

  change({id, kind, action, changedAt, attributes, edges}: NodeChange): PackedChange {
    return [
      id,
      kind,
      ACTIONS.indexOf(action),
      this.#instant(changedAt),
      attributes.map(each => this.#attribute(each)),
      edges.map(packEdge),
    ];
  }

  #attribute({name, before, after}: AttributeChange): PackedAttribute {
    return [name, this.#state(before), this.#state(after)];
  }

  #state(state: AttributeState | undefined): PackedState {
    if (state === undefined) return ABSENT;
    const {value, isDefault, isFromProfile, source, owner} = state;
    const marks =
      (isDefault ? MARK.isDefault : 0) | (isFromProfile ? MARK.isFromProfile : 0) | packMarks(state);
    const at = this.#instant(state.updatedAt);
    return source === null && owner === null ? [value, marks, at] : [value, marks, at, source, owner];
  }

  #instant(instant: number): number {
    const known = this.#places.get(instant);
    if (known !== undefined) return known;
    const place = this.instants.push(instant) - 1;
    this.#places.set(instant, place);
    return place;
  }
}

const packMarks = ({isProtected, isVisible}: EdgeProperties): number =>
  (isProtected ? MARK.isProtected : 0) | (isVisible ? 0 : MARK.isHidden);

const packEdge = ({relationship, peer, before, after}: EdgeChange): PackedEdge => [
  relationship,
  peer,
  packProperties(before),
  packProperties(after),
];

function packProperties(properties: EdgeProperties | undefined): PackedProperties {
  if (properties === undefined) return ABSENT;
  if (properties === PLAIN_EDGE) return PLAIN;
  return [packMarks(properties), properties.source, properties.owner];
}

class Unpacking {
  readonly #instants: readonly number[];

  constructor(instants: readonly number[]) {
    this.#instants = instants;
  }

  change(packed: PackedChange): NodeChange {
    return {
      id: packed[0],
      kind: packed[1],
      action: ACTIONS[packed[2]]!,
      attributes: packed[4].map(each => this.#attribute(each)),
      edges: packed[5].map(unpackEdge),
      changedAt: this.#instants[packed[3]] as Instant,
    };
  }

  #attribute(packed: PackedAttribute): AttributeChange {
    return {name: packed[0], before: this.#state(packed[1]), after: this.#state(packed[2])};
  }

  #state(packed: PackedState): AttributeState | undefined {
    if (packed === ABSENT) return undefined;
    const marks = packed[1];
    return {
      value: packed[0],
      isDefault: (marks & MARK.isDefault) !== 0,
      isFromProfile: (marks & MARK.isFromProfile) !== 0,
      isProtected: (marks & MARK.isProtected) !== 0,
      isVisible: (marks & MARK.isHidden) === 0,
      source: packed[3] ?? null,
      owner: packed[4] ?? null,
      updatedAt: this.#instants[packed[2]] as Instant,
    };
  }
}

const unpackEdge = ([relationship, peer, before, after]: PackedEdge): EdgeChange => ({
  relationship,
  peer,
  before: unpackProperties(before),
  after: unpackProperties(after),
});

function unpackProperties(packed: PackedProperties): EdgeProperties | undefined {
  if (packed === ABSENT) return undefined;
  if (packed === PLAIN) return PLAIN_EDGE;
  const [marks, source, owner] = packed;
  return {
    isProtected: (marks & MARK.isProtected) !== 0,
    isVisible: (marks & MARK.isHidden) === 0,
    source,
    owner,
  };
}
