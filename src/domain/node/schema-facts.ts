import {must} from '../../base/assert.ts';
import {concreteKindOf, concreteKinds, inverseOn, isKindOf, kindOf} from '../schema/lookup.ts';
import type {ConcreteSchema, RelationshipSchema, Schema} from '../schema/schema.ts';
import type {ComputedFacts, TemplateInput} from './computed-facts.ts';
import {computedFacts} from './computed-facts.ts';
import {peersMin} from './peer-count.ts';

/** A relationship as one kind has it. */
export interface KindRelationship {
  readonly kind: ConcreteSchema;
  readonly relationship: RelationshipSchema;
}

/** A computed attribute that reads through a relationship. */
export interface ComputedReader extends KindRelationship {
  readonly computed: string;
}

/** What writing an object of a kind must know, worked out once. */
export interface KindFacts {
  readonly kind: ConcreteSchema;
  readonly computed: readonly ComputedFacts[];
  /** Computed attributes that read an own attribute, by its name. */
  readonly ownReaders: ReadonlyMap<string, readonly string[]>;
  /** Computed attributes that read through a relationship, by its name. */
  readonly edgeReaders: ReadonlyMap<string, readonly string[]>;
  /** Computed attributes of other objects that read an attribute of this one, by its name. */
  readonly peerReaders: ReadonlyMap<string, readonly ComputedReader[]>;
  readonly mandatoryRelationships: readonly RelationshipSchema[];
  /** Relationships of any kind that cannot do without peers, and whose peer may be of this kind. */
  readonly neededBy: readonly KindRelationship[];
  /** Own relationships whose peers must have something in common. */
  readonly asksInCommon: readonly RelationshipSchema[];
  /** Relationships of any kind that ask their peers, which may be of this kind, for something in common. */
  readonly watchedBy: readonly KindRelationship[];
  readonly parent: RelationshipSchema | undefined;
}

const known = new WeakMap<Schema, SchemaFacts>();

export function factsOf(schema: Schema): SchemaFacts {
  const facts = known.get(schema) ?? new SchemaFacts(schema);
  known.set(schema, facts);
  return facts;
}

export class SchemaFacts {
  readonly schema: Schema;
  readonly #kinds = new Map<string, KindFacts>();
  readonly #inverses = new Map<RelationshipSchema, Map<string, RelationshipSchema | undefined>>();
  readonly #readers: readonly (ComputedReader & {readonly read: string})[];
  readonly #mandatory: readonly KindRelationship[];
  readonly #watching: readonly KindRelationship[];

  constructor(schema: Schema) {
    this.schema = schema;
    const readers: (ComputedReader & {readonly read: string})[] = [];
    const mandatory: KindRelationship[] = [];
    const watching: KindRelationship[] = [];
    for (const kind of concreteKinds(schema)) {
      for (const {attribute, inputs} of computedFacts(schema, kind)) {
        for (const input of inputs) {
          if (input.is !== 'peer') continue;
          const {relationship} = input;
          readers.push({kind, relationship, computed: attribute.name, read: input.attribute.name});
        }
      }
      for (const relationship of kind.relationships) {
        if (peersMin(relationship) > 0) mandatory.push({kind, relationship});
        if (isInCommon(relationship)) watching.push({kind, relationship});
      }
    }
    this.#readers = readers;
    this.#mandatory = mandatory;
    this.#watching = watching;
  }

  kind(name: string): KindFacts {
    const facts = this.#kinds.get(name) ?? this.#factsOfKind(name);
    this.#kinds.set(name, facts);
    return facts;
  }

  /** The other view of the relationship on a kind at its other end. */
  inverse(relationship: RelationshipSchema, peerKind: string): RelationshipSchema | undefined {
    const byKind = this.#inverses.get(relationship) ?? new Map<string, RelationshipSchema | undefined>();
    this.#inverses.set(relationship, byKind);
    if (byKind.has(peerKind)) return byKind.get(peerKind);
    const inverse = inverseOn(must(kindOf(this.schema, peerKind), `the kind ${peerKind}`), relationship);
    byKind.set(peerKind, inverse);
    return inverse;
  }

  #factsOfKind(name: string): KindFacts {
    const {schema} = this;
    const kind = must(concreteKindOf(schema, name), `the kind ${name}`);
    const computed = computedFacts(schema, kind);
    const mayBePeer = ({relationship}: KindRelationship) => isKindOf(schema, name, relationship.peer);
    return {
      kind,
      computed,
      ownReaders: grouped(reads(computed, input => (input.is === 'own' ? input.attribute.name : undefined))),
      edgeReaders: grouped(
        reads(computed, input => (input.is === 'peer' ? input.relationship.name : undefined)),
      ),
      peerReaders: grouped(
        this.#readers.filter(mayBePeer).map(({read, ...reader}): [string, ComputedReader] => [read, reader]),
      ),
      mandatoryRelationships: kind.relationships.filter(each => !each.optional && !each.read_only),
      neededBy: this.#mandatory.filter(mayBePeer),
      asksInCommon: kind.relationships.filter(isInCommon),
      watchedBy: this.#watching.filter(mayBePeer),
      parent: kind.relationships.find(each => each.kind === 'Parent'),
    };
  }
}

const isInCommon = ({common_parent, common_relatives}: RelationshipSchema): boolean =>
  common_parent !== null || common_relatives !== null;

/** Pairs of what is read and the computed attribute that reads it. */
function reads(
  computed: readonly ComputedFacts[],
  nameOf: (input: TemplateInput) => string | undefined,
): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = [];
  for (const {attribute, inputs} of computed) {
    for (const input of inputs) {
      const name = nameOf(input);
      if (name !== undefined) pairs.push([name, attribute.name]);
    }
  }
  return pairs;
}

function grouped<T>(pairs: readonly (readonly [string, T])[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const [key, item] of pairs) {
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [item]);
    else if (!list.includes(item)) list.push(item);
  }
  return groups;
}
