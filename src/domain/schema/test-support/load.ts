import {assert} from '../../../base/assert.ts';
import {applyDocument} from '../apply/apply-document.ts';
import {layDocument} from '../apply/lay-document.ts';
import {builtinSource} from '../builtin/builtin-source.ts';
import type {SchemaDocument} from '../document.ts';
import {parseSchemaDocuments} from '../parse/parse-documents.ts';
import type {SchemaProblem} from '../problem.ts';
import {deriveSchema, processSchema} from '../process/process-schema.ts';
import type {DocumentRule, SchemaRule} from '../rules/rule.ts';
import type {Schema} from '../schema.ts';
import type {SchemaSource} from '../source.ts';

/** A schema root as a user writes it, without the version. */
export type Root = {
  readonly nodes?: readonly object[];
  readonly generics?: readonly object[];
  readonly extensions?: {readonly nodes: readonly object[]};
};

export function documentOf(...roots: readonly Root[]): SchemaDocument {
  const parsed = parseSchemaDocuments(
    roots.map(root => ({version: '1.0', ...root})),
    ['body', 'schemas'],
  );
  assert(parsed.ok, `the test's document is malformed: ${JSON.stringify(parsed)}`);
  return parsed.document;
}

/** The built-in schema with documents laid onto it, one load after the other. */
export function sourceOf(...loads: readonly Root[]): SchemaSource {
  return loads.reduce((source, root) => layDocument(source, documentOf(root)).source, builtinSource());
}

export const schemaOf = (...loads: readonly Root[]): Schema => deriveSchema(sourceOf(...loads));

/** What one load after the other is refused for, by any rule. */
export function refusals(...loads: readonly Root[]): readonly SchemaProblem[] {
  let source = builtinSource();
  let problems: readonly SchemaProblem[] = [];
  for (const root of loads) {
    const applied = applyDocument(source, documentOf(root));
    problems = [...applied.problems, ...processSchema(applied.source).problems];
    source = applied.source;
  }
  return problems;
}

/** Where one rule finds something wrong after the loads. */
export function pathsRefused(rule: SchemaRule, ...loads: readonly Root[]): readonly string[] {
  return problemsOf(rule, ...loads).map(({path}) => path);
}

export function problemsOf(rule: SchemaRule, ...loads: readonly Root[]): readonly SchemaProblem[] {
  const source = sourceOf(...loads);
  return [...rule(deriveSchema(source), source)];
}

export function documentPathsRefused(
  rule: DocumentRule,
  root: Root,
  ...before: readonly Root[]
): readonly string[] {
  return [...rule(documentOf(root), sourceOf(...before))].map(({path}) => path);
}

export const node = (name: string, rest: object = {}) => ({namespace: 'Infra', name, ...rest});

export const text = (name: string, rest: object = {}) => ({name, kind: 'Text', ...rest});
