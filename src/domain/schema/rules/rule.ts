import type {SchemaDocument} from '../document.ts';
import type {SchemaProblem} from '../problem.ts';
import type {KindSchema, Schema} from '../schema.ts';
import type {SchemaSource} from '../source.ts';

/** What a document may not ask for, whatever the schema it is laid onto. */
export type DocumentRule = (document: SchemaDocument, source: SchemaSource) => Iterable<SchemaProblem>;

/** What must hold in a schema as a whole. A rule copes with what other rules refuse. */
export type SchemaRule = (schema: Schema, source: SchemaSource) => Iterable<SchemaProblem>;

/** The kinds that people declare: those that the service derives need no checks of their own. */
export function* declaredKinds(schema: Schema): Iterable<Extract<KindSchema, {type: 'node' | 'generic'}>> {
  yield* schema.nodes.values();
  for (const generic of schema.generics.values()) {
    if (generic.namespace !== 'Template') yield generic;
  }
}
