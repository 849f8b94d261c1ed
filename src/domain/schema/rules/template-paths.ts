import {parseTemplate} from '../../attribute/jinja/template.ts';
import {resolvePath} from '../paths.ts';
import type {KindSchema, Schema} from '../schema.ts';

export const isTemplate = (text: string): boolean => text.includes('{{') || text.includes('{%');

/**
 * What is wrong with a template over the attributes of a kind and of its single peers. `itself` is the
 * attribute that the template computes, which it cannot read.
 */
export function templateProblems(
  schema: Schema,
  kind: KindSchema,
  text: string,
  itself?: string,
): readonly string[] {
  const parsed = parseTemplate(text);
  if (!parsed.ok) return [`the template cannot be read: ${parsed.problem}`];
  return parsed.variables.flatMap(variable =>
    itself !== undefined && variable.split('__')[0] === itself
      ? `the template of ${itself} reads ${itself} itself; take it out`
      : (pathProblem(schema, kind, variable) ?? []),
  );
}

/** What is wrong with a path that must lead to one value. */
export function pathProblem(schema: Schema, kind: KindSchema, path: string): string | undefined {
  const resolved = resolvePath(schema, kind, path);
  switch (resolved.is) {
    case 'unresolved':
      return resolved.message;
    case 'attribute':
      return undefined;
    case 'relationship':
      return `"${path}" is a relationship; name one of its attributes, such as ${path}__name__value`;
    case 'peer-attribute':
      if (resolved.relationship.cardinality === 'one') return undefined;
      return `"${path}" leads through ${resolved.relationship.name}, which has many peers; use a relationship to one`;
  }
}
