import type {ErrorCode, ErrorFacts} from '../../domain/errors.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {PackedPage} from './page-codec.ts';

/** A question to a read worker. */
export interface ReadRequest {
  readonly id: number;
  readonly branch: number;
  readonly at: Instant;
  readonly defaultBranch: number;
  readonly query: NodeQuery;
}

export type ReadAnswer =
  | {readonly id: number; readonly is: 'page'; readonly page: PackedPage}
  | {
      readonly id: number;
      readonly is: 'refused';
      readonly code: ErrorCode;
      readonly message: string;
      readonly facts: ErrorFacts;
    }
  | {readonly id: number; readonly is: 'failed'; readonly message: string};
