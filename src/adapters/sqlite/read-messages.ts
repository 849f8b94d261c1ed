import type {ErrorCode, ErrorFacts} from '../../domain/errors.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {HeavyQuestion} from './heavy-question.ts';

/** What a read worker is asked. */
export type ReadQuestion =
  | HeavyQuestion
  | {readonly is: 'query'; readonly branch: number; readonly at: Instant; readonly query: NodeQuery};

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
