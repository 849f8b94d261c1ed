import {deriveSchema} from '../../domain/schema/process/process-schema.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {Schemas} from '../services.ts';
import {sourceOf} from './schema-records.ts';

const SCHEMAS_MAX = 100;

/** Processed schemas by schema key. A key names one schema for ever; the oldest go when there are too many. */
export function processedSchemas(): Schemas {
  const known = new Map<string, Schema>();
  return {
    of(snapshot: Snapshot): Schema {
      const cached = known.get(snapshot.schemaKey);
      if (cached !== undefined) return cached;
      const schema = deriveSchema(sourceOf(snapshot.kinds()));
      if (known.size >= SCHEMAS_MAX) {
        for (const oldest of known.keys()) {
          known.delete(oldest);
          break;
        }
      }
      known.set(snapshot.schemaKey, schema);
      return schema;
    },
  };
}
