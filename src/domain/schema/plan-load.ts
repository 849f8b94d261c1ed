import {applyDocument} from './apply/apply-document.ts';
import type {SchemaDocument} from './document.ts';
import {locate} from './parse/locate.ts';
import {parseSchemaDocuments} from './parse/parse-documents.ts';
import type {DocumentProblem, Location, SchemaProblem} from './problem.ts';
import {processSchema} from './process/process-schema.ts';
import type {Schema} from './schema.ts';
import {type SchemaWarning, schemaWarnings} from './schema-warnings.ts';
import type {SchemaSource} from './source.ts';

/** What a load would make of a stored schema, before anybody has looked at the data. */
export type LoadPlan =
  | {readonly is: 'refused'; readonly problems: readonly DocumentProblem[]}
  | {readonly is: 'unchanged'; readonly warnings: readonly SchemaWarning[]}
  | {
      readonly is: 'changed';
      readonly source: SchemaSource;
      readonly schema: Schema;
      readonly warnings: readonly SchemaWarning[];
    };

/** `schemas` is the list of schema roots as it came, and `base` where it stands in the request. */
export function planLoad(stored: SchemaSource, schemas: unknown, base: Location): LoadPlan {
  const parsed = parseSchemaDocuments(schemas, base);
  if (!parsed.ok) return {is: 'refused', problems: parsed.problems};
  const {document} = parsed;
  const applied = applyDocument(stored, document);
  if (applied.source === stored && applied.problems.length === 0) {
    return {is: 'unchanged', warnings: schemaWarnings(document)};
  }
  const processed = processSchema(applied.source);
  const problems = placed([...applied.problems, ...processed.problems], document, base);
  if (problems.length > 0) return {is: 'refused', problems};
  return {
    is: 'changed',
    source: applied.source,
    schema: processed.schema,
    warnings: schemaWarnings(document),
  };
}

/** Problems of meaning, each with the place in the request that it is about. */
export function placed(
  problems: readonly SchemaProblem[],
  document: SchemaDocument,
  base: Location,
): readonly DocumentProblem[] {
  const seen = new Map<string, DocumentProblem>();
  for (const {path, message} of problems) {
    const key = `${path} ${message}`;
    if (!seen.has(key)) seen.set(key, {loc: locate(document, path, base), message, type: 'value_error'});
  }
  return [...seen.values()];
}
