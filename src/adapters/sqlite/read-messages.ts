import type {ErrorCode, ErrorFacts} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {SqlValue} from '../sql/statement.ts';
import type {HeavyQuestion} from './heavy-question.ts';

/** What a read worker is asked. */
export type ReadQuestion =
  | HeavyQuestion
  | (ReadPlace &
      (
        | {
            readonly is: 'query';
            readonly query: NodeQuery;
            /** Send every document, also those that were sent before. */
            readonly isWhole: boolean;
          }
        | {readonly is: 'nodes'; readonly ids: readonly NodeId[]}
        | {readonly is: 'neighbours'; readonly id: NodeId; readonly relationship: string}
      ));

/** A read point by the number of its branch. */
interface ReadPlace {
  readonly branch: number;
  readonly at: Instant;
}

export interface ReadWorkerData {
  readonly path: string;
  /** Not zero: nobody waits for an answer any more. */
  readonly flag: Int32Array;
  readonly isWatched: boolean;
}

export interface ReadRequest {
  readonly id: number;
  readonly question: ReadQuestion;
}

/** A statement that ran for a question; sent only while somebody watches. */
export interface ReadStatement {
  readonly id: number;
  readonly is: 'ran';
  readonly sql: string;
  readonly params: readonly SqlValue[];
  readonly millis: number;
}

export type ReadAnswer =
  | {readonly id: number; readonly is: 'answered'; readonly value: unknown}
  | {
      readonly id: number;
      readonly is: 'refused';
      readonly code: ErrorCode;
      readonly message: string;
      readonly facts: ErrorFacts;
    }
  | {readonly id: number; readonly is: 'failed'; readonly message: string};
