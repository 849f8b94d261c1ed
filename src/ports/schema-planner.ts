import type {LoadPlan} from '../domain/schema/plan-load.ts';
import type {Location} from '../domain/schema/problem.ts';
import type {SchemaSource} from '../domain/schema/source.ts';

/**
 * Works out what a load would make of a schema, as `planLoad` does. A large document is worked on elsewhere, so
 * that the thread that asks stays free for others.
 */
export interface SchemaPlanner {
  plan(stored: SchemaSource, schemas: unknown, base: Location): Promise<LoadPlan>;
  close(): Promise<void>;
}
