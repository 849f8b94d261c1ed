import type {SchemaDocument} from '../document.ts';
import type {SchemaProblem} from '../problem.ts';
import type {SchemaSource} from '../source.ts';
import type {DocumentRule} from './rule.ts';

const RULES: readonly DocumentRule[] = [];

export function checkDocument(document: SchemaDocument, source: SchemaSource): readonly SchemaProblem[] {
  return RULES.flatMap(rule => [...rule(document, source)]);
}
