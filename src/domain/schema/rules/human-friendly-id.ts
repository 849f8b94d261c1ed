import {kindOf} from '../lookup.ts';
import {hasProperty, resolvePath} from '../paths.ts';
import {problem} from '../problem.ts';
import type {KindSchema, Schema} from '../schema.ts';
import type {SchemaRule} from './rule.ts';

/** The id that people use is made of attributes, own ones or those by which a mandatory peer is known. */
export const humanFriendlyId: SchemaRule = function* (schema, source) {
  for (const [name, definition] of source.kinds) {
    const kind = kindOf(schema, name);
    if (kind === undefined || definition.human_friendly_id === null) continue;
    const path = `${name}.human_friendly_id`;
    if (definition.human_friendly_id.length === 0) {
      yield problem(path, 'human_friendly_id is empty; list its fields or remove it');
    }
    for (const part of definition.human_friendly_id) {
      const message = whatIsWrong(schema, kind, part);
      if (message !== undefined) yield problem(path, message);
    }
  }
};

function whatIsWrong(schema: Schema, kind: KindSchema, part: string): string | undefined {
  const resolved = resolvePath(schema, kind, part);
  switch (resolved.is) {
    case 'unresolved':
      return resolved.message;
    case 'attribute':
      return hasProperty(part) ? undefined : `write ${part}__value instead of ${part}`;
    case 'relationship':
      return `"${part}" is a relationship; add the attribute of ${resolved.relationship.peer} that stands for it, such as ${part}__name__value`;
    case 'peer-attribute': {
      const {relationship, attribute, peer} = resolved;
      if (relationship.cardinality !== 'one' || relationship.optional) {
        return `"${part}" needs ${relationship.name} to have cardinality one and optional: false`;
      }
      if (attribute.unique) return undefined;
      return `"${part}" needs ${attribute.name} to be unique on ${peer.kind}, else two objects could share the id`;
    }
  }
}
