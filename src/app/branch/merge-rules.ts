import type {MergeRules} from '../../domain/merge/merge-plan.ts';
import {attributeOf, kindOf, relationshipOf} from '../../domain/schema/lookup.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import {QUERY_KIND} from '../query/settle-queries.ts';

/** What weighing two sides must know of the schema. */
export function mergeRules(schema: Schema): MergeRules {
  return {
    isDerived(kind, attribute) {
      const found = kindOf(schema, kind);
      const field = found === undefined ? undefined : attributeOf(found, attribute);
      if (kind === QUERY_KIND && field?.read_only === true) return true;
      return field?.computed_attribute !== undefined && field.computed_attribute?.kind === 'Jinja2';
    },
    relationship(kind, name) {
      const found = kindOf(schema, kind);
      return found === undefined ? undefined : relationshipOf(found, name);
    },
  };
}
