import type {Json} from '../../base/json.ts';
import type {AttributeState, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {StoredDocument} from './document.ts';
import {documentUpdatedAt, holds, slotState} from './document.ts';
import type {KindLayout, SlotLayout} from './layout.ts';
import {orderKey, slotValue} from './layout.ts';

/** The attributes of a mixed kind that live on another branch, in the version seen from here. */
export interface StoredPart {
  readonly version: number;
  readonly since: Instant;
  readonly document: StoredDocument;
}

export class StoredNode implements NodeRecord {
  readonly serial: number;
  readonly layout: KindLayout;
  readonly versionSerial: number;
  /** The branch this version was written on. */
  readonly branch: number;
  /** When this version was written; a mere copy of the document makes a version too. */
  readonly since: Instant;
  readonly document: StoredDocument;
  readonly part: StoredPart | undefined;
  #orderKey: string | undefined;
  #version: string | undefined;

  constructor(
    serial: number,
    layout: KindLayout,
    version: number,
    branch: number,
    since: Instant,
    document: StoredDocument,
    part?: StoredPart,
  ) {
    this.serial = serial;
    this.layout = layout;
    this.versionSerial = version;
    this.branch = branch;
    this.since = since;
    this.document = document;
    this.part = part;
  }

  get id(): NodeId {
    return this.document.i;
  }

  get kind(): string {
    return this.layout.shape.name;
  }

  get version(): string {
    this.#version ??=
      this.part === undefined ? `${this.versionSerial}` : `${this.versionSerial}.${this.part.version}`;
    return this.#version;
  }

  get createdAt(): Instant {
    return this.document.c as Instant;
  }

  /** The last time that a value changed. */
  get updatedAt(): Instant {
    const {document, part, since} = this;
    const own = documentUpdatedAt(document, since);
    if (part === undefined) return own;
    const other = documentUpdatedAt(part.document, part.since);
    return Math.max(own, other) as Instant;
  }

  get orderKey(): string {
    this.#orderKey ??= orderKey(this.layout, this.document);
    return this.#orderKey;
  }

  value(name: string): Json {
    const slot = this.layout.slots.get(name);
    if (slot === undefined) return null;
    const {part} = this;
    if (part !== undefined && slot.isPart && holds(part.document, slot.slot)) {
      return part.document.v[slot.slot] ?? null;
    }
    return slotValue(this.document, slot);
  }

  attribute(name: string): AttributeState | undefined {
    const slot = this.layout.slots.get(name);
    return slot === undefined ? undefined : this.stateOf(slot);
  }

  /** The state of an attribute of its kind. */
  stateOf(slot: SlotLayout): AttributeState {
    const {part} = this;
    if (part !== undefined && slot.isPart && holds(part.document, slot.slot)) {
      return slotState(part.document, part.since, slot.slot, undefined);
    }
    return slotState(this.document, this.since, slot.slot, slot.shape.late);
  }

  /** The same version under another schema of its kind. */
  withLayout(layout: KindLayout): StoredNode {
    const {serial, versionSerial, branch, since, document, part} = this;
    return new StoredNode(serial, layout, versionSerial, branch, since, document, part);
  }

  withoutPart(): StoredNode {
    const {serial, layout, versionSerial, branch, since, document} = this;
    return new StoredNode(serial, layout, versionSerial, branch, since, document);
  }

  withPart(part: StoredPart | undefined): StoredNode {
    if (part === undefined) return this;
    const {serial, layout, versionSerial, branch, since, document} = this;
    return new StoredNode(serial, layout, versionSerial, branch, since, document, part);
  }
}
