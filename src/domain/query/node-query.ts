import type {Json} from '../../base/json.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {Instant} from '../time/instant.ts';

/** A question to a snapshot, as data: one call answers all its levels from one consistent state. */
export interface NodeQuery {
  /** A node kind, or a generic: then objects of all its kinds. */
  readonly kind: string;
  readonly where?: Condition;
  /** Default: the kind's own order. Ties always go to the object created first. */
  readonly order?: readonly Order[];
  readonly page?: PageRequest;
  /** How many match in all, whatever the page. */
  readonly count?: boolean;
  /** False asks for the count alone. Default true. */
  readonly nodes?: boolean;
  readonly include?: readonly Include[];
}

/** The related objects of each object found, one more level. */
export interface Include extends Omit<NodeQuery, 'kind'> {
  /** Only for objects that have this relationship; others get an empty page. */
  readonly relationship: string;
  /** Follow it again and again, from peer to peer, each object once. Absent: one step. */
  readonly transitive?: {readonly depthMax: number};
  /** Also the peers of everything below the object in its hierarchy. */
  readonly ofDescendants?: {readonly depthMax: number};
}

export type PageRequest =
  | {readonly limit: number; readonly offset: number}
  | {readonly limit: number; readonly after: Cursor | null};

/** The place of an object in an order; opaque outside the store. */
export type Cursor = readonly [key: string, serial: number];

export type Order =
  | {
      readonly by: 'attribute';
      readonly path: AttributePath;
      readonly descending: boolean;
    }
  | {readonly by: 'createdAt' | 'updatedAt'; readonly descending: boolean};

export interface AttributePath {
  /** Through this to-one relationship, when given. */
  readonly relationship?: string;
  readonly attribute: string;
  readonly property: string;
}

/**
 * Plain two-valued logic: a test on a missing value is false (except `isNull`), and `not` turns it into true.
 * A condition on an attribute or relationship that a kind lacks is false for its objects.
 */
export type Condition =
  | {readonly is: 'all'; readonly of: readonly Condition[]}
  | {readonly is: 'any'; readonly of: readonly Condition[]}
  | {readonly is: 'not'; readonly of: Condition}
  | {readonly is: 'id'; readonly in: readonly NodeId[]}
  | {readonly is: 'kind'; readonly in: readonly string[]}
  | {readonly is: 'attribute'; readonly attribute: string; readonly property: string; readonly test: Test}
  | {readonly is: 'anyAttribute'; readonly test: Test}
  | {readonly is: 'metadata'; readonly attribute: string | '*'; readonly test: MetadataTest}
  | {
      readonly is: 'node';
      readonly field: 'createdAt' | 'updatedAt';
      readonly from?: Instant;
      readonly until?: Instant;
      /** Who made that commit. */
      readonly by?: readonly NodeId[];
    }
  | {
      readonly is: 'related';
      readonly relationship: string;
      readonly transitive?: number;
      readonly where?: Condition;
    };

export type Test =
  | {readonly op: 'isNull'}
  | {readonly op: 'in'; readonly values: readonly Json[]}
  | {readonly op: 'less' | 'lessOrEqual' | 'greater' | 'greaterOrEqual'; readonly value: Json}
  | {
      readonly op: 'contains' | 'startsWith' | 'endsWith';
      readonly text: string;
      readonly ignoreCase: boolean;
    };

export type MetadataTest =
  | {readonly field: 'source' | 'owner'; readonly in: readonly NodeId[]}
  | {readonly field: 'isProtected' | 'isVisible' | 'isDefault' | 'isFromProfile'; readonly equals: boolean};
