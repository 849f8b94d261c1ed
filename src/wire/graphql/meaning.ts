import type {GraphQLField} from 'graphql';
import type {Caller} from '../../app/caller.ts';
import type {Json} from '../../base/json.ts';
import type {View} from '../../domain/access/view.ts';
import type {AttributeState, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {AttributeSchema, Schema} from '../../domain/schema/schema.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Page} from '../../ports/graph-store.ts';

/** What a field may look at beside its own source. */
export interface SeenScope {
  readonly schema: Schema;
  /** What the caller may see here. */
  readonly view: View;
}

/** As far as a field of one answer may look. */
export interface ReadScope extends SeenScope {
  readonly caller: Caller;
}

/** The source of a connection: the page, and how it was asked for. */
export interface Listing {
  readonly page: Page;
  readonly kind: string;
  readonly hasPrevious: boolean;
  readonly orderTag: string;
}

export interface AttributeSource {
  readonly node: NodeRecord;
  readonly attribute: AttributeSchema;
}

/**
 * What a field stands for. Both executors work from this: the compiler, which plans the reads of all levels at
 * once, and the plain resolvers, which take one step at a time.
 *
 * The source of a node type is a `Found`, of which its leaves and objects read the node alone; that of an edge too; of a connection a `Listing`; of an attribute an
 * `AttributeSource`; the rest are what the `object` above them reads.
 */
export type Meaning =
  | {readonly is: 'list'; readonly kind: string}
  | {
      readonly is: 'leaf';
      readonly read: (source: never, scope: ReadScope) => Json;
      /** It depends on who asks, not only on what they may see. */
      readonly isOfCaller: boolean;
    }
  | {readonly is: 'object'; readonly read: (source: never, scope: SeenScope) => unknown}
  | {readonly is: 'label'; readonly label: 'display_label' | 'hfid'}
  | PeersMeaning
  /** Another object, named by its id in the source. */
  | {readonly is: 'lookup'; readonly kind: string; readonly id: (source: never) => NodeId | null}
  /** The account that made the commit of an instant. */
  | {readonly is: 'author'; readonly instant: (source: never, scope: ReadScope) => Instant}
  | {readonly is: 'caller'}
  | DeferredMeaning;

/** Something that must be read for each object by itself; the answer bounds how many there may be. */
export interface DeferredMeaning {
  readonly is: 'deferred';
  readonly key: (source: never) => string;
  readonly load: (source: never, args: Readonly<Record<string, unknown>>, context: never) => Promise<unknown>;
}

export interface PeersMeaning {
  readonly is: 'peers';
  readonly relationship: string;
  readonly peer: string;
  readonly isOne: boolean;
  /** Followed again and again. */
  readonly isTransitive: boolean;
}

export const leaf = <Source>(read: (source: Source, scope: SeenScope) => Json): {meaning: Meaning} => ({
  meaning: {is: 'leaf', read, isOfCaller: false},
});

export const leafOfCaller = <Source>(
  read: (source: Source, scope: ReadScope) => Json,
): {meaning: Meaning} => ({
  meaning: {is: 'leaf', read, isOfCaller: true},
});

export const object = <Source>(read: (source: Source, scope: SeenScope) => unknown): {meaning: Meaning} => ({
  meaning: {is: 'object', read},
});

export const lookup = <Source>(kind: string, id: (source: Source) => NodeId | null): {meaning: Meaning} => ({
  meaning: {is: 'lookup', kind, id},
});

export const author = <Source>(
  instant: (source: Source, scope: ReadScope) => Instant,
): {meaning: Meaning} => ({
  meaning: {is: 'author', instant},
});

/** Fields without a meaning have a resolver of their own and are left to it. */
export const meaningOf = (field: GraphQLField<unknown, unknown>): Meaning | undefined =>
  field.extensions.meaning as Meaning | undefined;

export const stateOf = ({node, attribute}: AttributeSource): AttributeState | undefined =>
  node.attribute(attribute.name);

/** A hash of a password is nobody's to see. */
export const storedValue = ({node, attribute}: AttributeSource): Json =>
  attribute.kind === 'HashedPassword' ? null : node.value(attribute.name);
