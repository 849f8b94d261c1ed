import type {Json} from '../../../base/json.ts';
import {convertValue} from '../../../domain/attribute/convert-value.ts';
import type {NodeRecord} from '../../../domain/graph/node.ts';
import type {Condition, Cursor, NodeQuery} from '../../../domain/query/node-query.ts';
import type {SchemaChange} from '../../../domain/schema/classify/changes.ts';
import {concreteKinds, implementations} from '../../../domain/schema/lookup.ts';
import type {
  AttributeSchema,
  ConcreteSchema,
  RelationshipSchema,
  Schema,
} from '../../../domain/schema/schema.ts';
import type {Found, Snapshot} from '../../../ports/graph-store.ts';

const PAGE_SIZE = 500;

export type Reads = Pick<Snapshot, 'query'>;

/** A kind as it is now and as it will be. */
export interface KindPair {
  readonly before: ConcreteSchema;
  readonly after: ConcreteSchema;
}

/**
 * The objects of a branch while its schema is about to change: read under the schema they have, judged by the one
 * they will have. Kinds and fields are matched by id, since both may be renamed in the same change.
 */
export class Look {
  readonly before: Schema;
  readonly after: Schema;
  readonly #reads: Reads;
  readonly #afterById: ReadonlyMap<string, ConcreteSchema>;
  readonly #beforeById: ReadonlyMap<string, ConcreteSchema>;
  readonly #isInhabited = new Map<string, Promise<boolean>>();
  readonly #moved = new Map<string, AttributeSchema>();

  constructor(reads: Reads, before: Schema, after: Schema, changes: readonly SchemaChange[]) {
    this.#reads = reads;
    for (const change of changes) {
      if (change.is === 'attribute-moved')
        this.#moved.set(`${change.kind}.${change.attribute.id}`, change.before);
    }
    this.before = before;
    this.after = after;
    this.#beforeById = new Map(Array.from(concreteKinds(before), kind => [kind.id, kind]));
    this.#afterById = new Map(Array.from(concreteKinds(after), kind => [kind.id, kind]));
  }

  /** By the name that the kind will have; undefined for one that is new. */
  pair(name: string): KindPair | undefined {
    const after =
      this.after.nodes.get(name) ?? this.after.profiles.get(name) ?? this.after.templates.get(name);
    const before = after === undefined ? undefined : this.#beforeById.get(after.id);
    return after === undefined || before === undefined ? undefined : {before, after};
  }

  /** What becomes of a kind, by the name that it has now. */
  successor(name: string): ConcreteSchema | undefined {
    const before =
      this.before.nodes.get(name) ?? this.before.profiles.get(name) ?? this.before.templates.get(name);
    return before === undefined ? undefined : this.#afterById.get(before.id);
  }

  /** The names that the kinds behind `peer`, a kind or a generic of the new schema, have now. */
  namesNow(peer: string): readonly string[] {
    return implementations(this.after, peer).flatMap(name => this.pair(name)?.before.kind ?? []);
  }

  /** The kinds whose objects will be ended, by the name that they have now. */
  leaving(): readonly string[] {
    return [...this.#beforeById.values()]
      .filter(kind => !this.#afterById.has(kind.id))
      .map(kind => kind.kind);
  }

  /** The attribute that will be `attribute`, as the kind has it now; of another id where another generic takes over. */
  attributeNow({before, after}: KindPair, attribute: AttributeSchema): AttributeSchema | undefined {
    return (
      before.attributes.find(each => each.id === attribute.id) ??
      this.#moved.get(`${after.kind}.${attribute.id}`)
    );
  }

  /** What the object will show, converted to the kind that the attribute will have; undefined when that cannot be. */
  valueThen(pair: KindPair, attribute: AttributeSchema, node: NodeRecord): Json | undefined {
    const now = this.attributeNow(pair, attribute);
    if (now === undefined)
      return pair.after.type === 'node' ? (pair.after.late.get(attribute.id) ?? null) : null;
    const converted = convertValue(now.kind, attribute.kind, node.value(now.name));
    return converted.ok ? converted.value : undefined;
  }

  /** Whether the kind, by its present name, has any objects. */
  isInhabited(kind: string): Promise<boolean> {
    const known = this.#isInhabited.get(kind);
    if (known !== undefined) return known;
    const ask = async () => (await this.#reads.query({kind, page: {limit: 1, offset: 0}})).found.length > 0;
    const asked = ask();
    this.#isInhabited.set(kind, asked);
    return asked;
  }

  /** The first few objects that meet a condition, and how many do. */
  async some(
    kind: string,
    where: Condition | undefined,
    limit: number,
  ): Promise<{found: readonly Found[]; count: number}> {
    const page = {limit, offset: 0};
    const {found, count} = await this.#reads.query({
      kind,
      page,
      count: true,
      ...(where === undefined ? {} : {where}),
    });
    return {found, count: count ?? found.length};
  }

  /** Every object of a kind, by its present name, a page at a time. */
  async *objects(kind: string, more: Pick<NodeQuery, 'where' | 'include'> = {}): AsyncIterable<Found> {
    let after: Cursor | null = null;
    for (;;) {
      const {found, hasMore} = await this.#reads.query({kind, page: {limit: PAGE_SIZE, after}, ...more});
      yield* found;
      const last = found.at(-1);
      if (!hasMore || last === undefined) return;
      after = last.cursor;
    }
  }
}

export const relationshipNow = (
  {before}: KindPair,
  relationship: RelationshipSchema,
): RelationshipSchema | undefined => before.relationships.find(each => each.id === relationship.id);
