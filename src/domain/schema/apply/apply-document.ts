import type {SchemaDocument} from '../document.ts';
import {checkDocument} from '../rules/check-document.ts';
import type {SchemaSource} from '../source.ts';
import {type Applied, layDocument} from './lay-document.ts';

/**
 * Lays a user's document onto the schema. The result is not yet checked as a whole: `processSchema` does
 * that, and with problems here or there nothing of it may be used.
 */
export function applyDocument(source: SchemaSource, document: SchemaDocument): Applied {
  const refused = checkDocument(document, source);
  const applied = layDocument(source, document);
  return {source: applied.source, problems: [...refused, ...applied.problems]};
}
