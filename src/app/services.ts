import type {Schema} from '../domain/schema/schema.ts';
import type {SchemaSource} from '../domain/schema/source.ts';
import type {Clock} from '../ports/clock.ts';
import type {GraphStore, Snapshot} from '../ports/graph-store.ts';
import type {Ids} from '../ports/ids.ts';
import type {Log} from '../ports/log.ts';
import type {MergeStore} from '../ports/merge-store.ts';
import type {TaskQueue} from '../ports/task-queue.ts';

import type {AnalyseQuery} from './query/analyse-query.ts';

/** What the verbs may touch; each picks what it needs. */
export interface Services {
  readonly store: GraphStore;
  readonly merges: MergeStore;
  readonly tasks: TaskQueue;
  readonly schemas: Schemas;
  /** Who reads stored queries; whoever writes one has it. */
  readonly analyseQuery?: AnalyseQuery;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** The processed schema of any state of the graph, worked out once per schema key. */
export interface Schemas {
  of(snapshot: Snapshot): Schema;
  /** What was declared, and nothing that follows from it. */
  source(snapshot: Snapshot): SchemaSource;
  /** Saves the work for a schema that somebody has just worked out. */
  learn(snapshot: Snapshot, source: SchemaSource, schema: Schema): void;
}
