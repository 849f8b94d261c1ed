import type {SchemaDocument} from '../document.ts';
import type {SchemaProblem} from '../problem.ts';
import type {SchemaSource} from '../source.ts';
import {builtinFields} from './builtin-fields.ts';
import {reservedNames} from './reserved-names.ts';
import {restrictedNamespace} from './restricted-namespace.ts';
import type {DocumentRule} from './rule.ts';

const RULES: readonly DocumentRule[] = [restrictedNamespace, reservedNames, builtinFields];

export function checkDocument(document: SchemaDocument, source: SchemaSource): readonly SchemaProblem[] {
  return RULES.flatMap(rule => [...rule(document, source)]);
}
