import {BoundedMap} from '../../base/bounded-map.ts';
import {deriveSchema} from '../../domain/schema/process/process-schema.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {SchemaSource} from '../../domain/schema/source.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {Schemas} from '../services.ts';
import {sourceOf} from './schema-records.ts';

const SCHEMAS_MAX = 100;

interface Known {
  readonly source: SchemaSource;
  schema: Schema | undefined;
}

/** Schemas by schema key. A key names one schema for ever; the oldest go when there are too many. */
export function processedSchemas(): Schemas {
  const known = new BoundedMap<string, Known>(SCHEMAS_MAX);

  function know(key: string, entry: Known): Known {
    known.set(key, entry);
    return entry;
  }

  const entryOf = (snapshot: Snapshot): Known =>
    known.get(snapshot.schemaKey) ??
    know(snapshot.schemaKey, {source: sourceOf(snapshot.kinds()), schema: undefined});

  return {
    of(snapshot) {
      const entry = entryOf(snapshot);
      entry.schema ??= deriveSchema(entry.source);
      return entry.schema;
    },
    source: snapshot => entryOf(snapshot).source,
    learn(snapshot, source, schema) {
      if (known.get(snapshot.schemaKey) === undefined) know(snapshot.schemaKey, {source, schema});
    },
  };
}
