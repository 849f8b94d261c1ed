import {fieldsOf, genericsOf, isAttribute} from '../lookup-definitions.ts';
import {problem, type SchemaProblem} from '../problem.ts';
import {type FieldDefinition, kindName, type SchemaSource} from '../source.ts';
import type {SchemaRule} from './rule.ts';

/**
 * A node may refine what it inherits, where the generic allows it, but not turn it into something else: a
 * reader of the generic must find what it promises. The same holds between two generics of one node.
 */
export const overrides: SchemaRule = function* (_, source) {
  for (const [kind, definition] of source.kinds) {
    if (definition.type !== 'node' || definition.inherit_from.length === 0) continue;
    const own = new Map(fieldsOf(definition).map(field => [field.name, field]));
    const inherited = new Map<string, {readonly field: FieldDefinition; readonly generic: string}>();
    for (const generic of genericsOf(source.kinds, definition)) {
      const name = kindName(generic);
      for (const field of fieldsOf(generic)) {
        const mine = own.get(field.name);
        const first = inherited.get(field.name);
        if (mine !== undefined) yield* checkOverride(kind, mine, field, name, source);
        else if (first !== undefined && shapeOf(first.field) !== shapeOf(field)) {
          const both = `${shapeOf(first.field)} on ${first.generic} and ${shapeOf(field)} on ${name}`;
          const advice = 'rename one of them, or do not inherit from both';
          yield problem(
            `${kind}.inherit_from`,
            `${kind} would inherit two kinds of ${field.name}: ${both}; ${advice}`,
          );
        }
        if (first === undefined) inherited.set(field.name, {field, generic: name});
      }
    }
  }
};

function* checkOverride(
  kind: string,
  mine: FieldDefinition,
  field: FieldDefinition,
  generic: string,
  source: SchemaSource,
): Iterable<SchemaProblem> {
  const path = `${kind}.${mine.name}`;
  if (field.allow_override === 'none') {
    yield problem(
      path,
      `${mine.name} comes from ${generic}, which does not allow overriding it; remove it here`,
    );
  } else if (isAttribute(mine) !== isAttribute(field) || (isAttribute(mine) && mine.kind !== field.kind)) {
    const wanted = `${shapeOf(field)} on ${generic} and ${shapeOf(mine)} here`;
    yield problem(`${path}.kind`, `${mine.name} is ${wanted}; make it the same, or choose another name`);
  } else if (!isAttribute(mine) && !isAttribute(field) && !narrows(mine.peer, field.peer, source)) {
    const message = `${mine.name} leads to ${field.peer} on ${generic}, and ${mine.peer} is not one of those`;
    yield problem(`${path}.peer`, `${message}; keep the peer or choose another name`);
  }
}

function narrows(peer: string, of: string, source: SchemaSource): boolean {
  if (peer === of || of === 'CoreNode') return true;
  const kind = source.kinds.get(peer);
  return kind === undefined || (kind.type === 'node' && kind.inherit_from.includes(of));
}

function shapeOf(field: FieldDefinition): string {
  return isAttribute(field) ? `a ${field.kind} attribute` : `a relationship to ${field.peer}`;
}
