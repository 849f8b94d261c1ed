import {kindOf} from '../lookup.ts';
import {resolvePath} from '../paths.ts';
import {problem} from '../problem.ts';
import type {KindSchema, Schema} from '../schema.ts';
import type {SchemaRule} from './rule.ts';

/** Objects are ordered by attributes, own ones or those of a single peer. */
export const orderByPaths: SchemaRule = function* (schema, source) {
  for (const [name, definition] of source.kinds) {
    const kind = kindOf(schema, name);
    if (kind === undefined) continue;
    for (const part of definition.order_by ?? []) {
      const message = whatIsWrong(schema, kind, part);
      if (message !== undefined) yield problem(`${name}.order_by`, message);
    }
  }
};

function whatIsWrong(schema: Schema, kind: KindSchema, part: string): string | undefined {
  const resolved = resolvePath(schema, kind, part);
  switch (resolved.is) {
    case 'unresolved':
      return resolved.message;
    case 'attribute':
      return undefined;
    case 'relationship':
      return `"${part}" is a relationship; order by one of its attributes, such as ${part}__name__value`;
    case 'peer-attribute':
      if (resolved.relationship.cardinality === 'one') return undefined;
      return `"${part}" leads through ${resolved.relationship.name}, which has many peers; order by a relationship to one`;
  }
}
