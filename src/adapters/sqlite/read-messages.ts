import type {ErrorCode, ErrorFacts} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {HeavyQuestion} from './heavy-question.ts';

/** What a read worker is asked. */
export type ReadQuestion =
  | HeavyQuestion
  | (ReadPlace &
      (
        | {readonly is: 'query'; readonly query: NodeQuery}
        | {readonly is: 'nodes'; readonly ids: readonly NodeId[]}
        | {readonly is: 'neighbours'; readonly id: NodeId; readonly relationship: string}
      ));

/** A read point by the number of its branch. */
interface ReadPlace {
  readonly branch: number;
  readonly at: Instant;
}

export interface ReadRequest {
  readonly id: number;
  readonly question: ReadQuestion;
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
