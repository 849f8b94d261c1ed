import {must} from '../../base/assert.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import {indexNames, isIndexed} from './index-names.ts';
import type {Work} from './statement.ts';
import {blind, read} from './statement.ts';

export type NameSpace = 'kind' | 'relationship' | 'index' | 'unique';

/**
 * The small numbers that stand for kinds, relationships, indexes and constraints in the tables, and the slot of
 * each attribute in its kind's documents. Given once, for every branch and for ever.
 */
export class Names {
  readonly #serials = new Map<string, number>();
  readonly #slots = new Map<string, number>();
  readonly #slotCounts = new Map<number, number>();
  readonly #memberships = new Map<number, number[]>();
  /** Names asked for that have no number yet; `intern` gives them one. */
  readonly #wanted = new Map<string, readonly [space: NameSpace, key: string]>();
  readonly #wantedSlots: (readonly [kind: number, attribute: string, slot: number])[] = [];
  #last = 0;
  #isUnsettled = false;

  static *load(): Work<Names> {
    const names = new Names();
    yield* names.reload();
    return names;
  }

  /** Nobody else sees it half done: all is read before anything is replaced. */
  *reload(): Work<void> {
    const names = yield read('SELECT id, space, key FROM name', []);
    const slots = yield read('SELECT kind, attribute, slot FROM slot', []);
    this.#serials.clear();
    this.#slots.clear();
    this.#slotCounts.clear();
    this.#memberships.clear();
    this.#wanted.clear();
    this.#wantedSlots.length = 0;
    this.#isUnsettled = false;
    this.#last = 0;
    for (const [id, space, key] of names) {
      this.#learn(space as NameSpace, key as string, id as number);
      this.#last = Math.max(this.#last, id as number);
    }
    for (const [kind, attribute, slot] of slots) {
      this.#slots.set(`${kind}:${attribute}`, slot as number);
      this.#slotCounts.set(
        kind as number,
        Math.max(this.#slotCounts.get(kind as number) ?? 0, (slot as number) + 1),
      );
    }
  }

  get hasNew(): boolean {
    return this.#wanted.size > 0 || this.#wantedSlots.length > 0;
  }

  /** True when some numbers are not durable yet; a write that fails must take them back. */
  get isUnsettled(): boolean {
    return this.#isUnsettled;
  }

  settle(): void {
    this.#isUnsettled = false;
  }

  /** Writes the numbers given since the last call; until then they exist in memory alone. */
  *save(): Work<void> {
    for (const [text, [space, key]] of this.#wanted) {
      const serial = must(this.#serials.get(text), text);
      yield blind('INSERT INTO name (id, space, key) VALUES (?1, ?2, ?3)', [serial, space, key]);
    }
    this.#wanted.clear();
    for (const row of this.#wantedSlots) {
      yield blind('INSERT INTO slot (kind, attribute, slot) VALUES (?1, ?2, ?3)', row);
    }
    this.#wantedSlots.length = 0;
  }

  serial(space: NameSpace, key: string): number {
    const text = `${space}:${key}`;
    const known = this.#serials.get(text);
    if (known !== undefined) return known;
    this.#last += 1;
    this.#learn(space, key, this.#last);
    this.#wanted.set(text, [space, key]);
    this.#isUnsettled = true;
    return this.#last;
  }

  /** Every index that has ever listed all objects of the kind, one for each order it has had. */
  memberships(kind: number): readonly number[] {
    return this.#memberships.get(kind) ?? [];
  }

  slot(kind: number, attribute: string): number {
    const text = `${kind}:${attribute}`;
    const known = this.#slots.get(text);
    if (known !== undefined) return known;
    const slot = this.#slotCounts.get(kind) ?? 0;
    this.#slotCounts.set(kind, slot + 1);
    this.#slots.set(text, slot);
    this.#wantedSlots.push([kind, attribute, slot]);
    this.#isUnsettled = true;
    return slot;
  }

  #learn(space: NameSpace, key: string, serial: number): void {
    this.#serials.set(`${space}:${key}`, serial);
    const membership = space === 'index' ? /^(\d+)@/.exec(key) : null;
    if (membership === null) return;
    const kind = Number(membership[1]);
    const known = this.#memberships.get(kind);
    if (known === undefined) this.#memberships.set(kind, [serial]);
    else known.push(serial);
  }

  /** True when the shape needs no number that is not there yet. A reader that finds one reloads first. */
  knows(shape: KindShape): boolean {
    const kind = this.#serials.get(`kind:${shape.id}`);
    if (kind === undefined) return false;
    const indexes = indexNames(kind, shape);
    const hasIndex = (name: string) => this.#serials.has(`index:${name}`);
    return (
      hasIndex(indexes.membership) &&
      shape.attributes.every(attribute => !isIndexed(shape, attribute) || hasIndex(indexes.of(attribute))) &&
      shape.attributes.every(attribute => this.#slots.has(`${kind}:${attribute.id}`)) &&
      shape.relationships.every(item => this.#serials.has(`relationship:${item.identifier}`)) &&
      shape.unique.every(unique => this.#serials.has(`unique:${unique.id}`))
    );
  }
}
