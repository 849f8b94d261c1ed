import type {ReadScope} from '../meaning.ts';
import type {Variables} from './list-request.ts';
import type {Lookups} from './lookups.ts';

/** What writing one answer needs at hand. */
export interface WriteRun extends ReadScope {
  readonly variables: Variables;
  readonly lookups: Lookups;
  /** What is written may still change. */
  readonly isRehearsal: boolean;
}

/** Writes the JSON text of a value straight from its source. */
export type Writer = (source: unknown, run: WriteRun) => string;
