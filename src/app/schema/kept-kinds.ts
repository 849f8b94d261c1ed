import {type Json, sameJson} from '../../base/json.ts';
import {concreteKinds} from '../../domain/schema/lookup.ts';
import {isSameKind} from '../../domain/schema/same-kind.ts';
import type {ConcreteSchema, Schema} from '../../domain/schema/schema.ts';
import type {KindDefinition, SchemaSource} from '../../domain/schema/source.ts';

/** A schema as it is declared and as it is used. */
export interface SchemaPair {
  readonly source: SchemaSource;
  readonly schema: Schema;
}

/** The ids of kinds whose records a change leaves as they are, told without making and comparing the records. */
export function keptKinds(before: SchemaPair, after: SchemaPair): ReadonlySet<string> {
  const kept = new Set<string>();
  const known = new Map(Array.from(concreteKinds(before.schema), kind => [kind.id, kind]));
  for (const kind of concreteKinds(after.schema)) {
    const was = known.get(kind.id);
    if (was === undefined || !isSameKind(was, kind) || !hasSameKeys(was, kind)) continue;
    if (isSameDefinition(before.source.kinds.get(was.kind), after.source.kinds.get(kind.kind)))
      kept.add(kind.id);
  }
  for (const [name, definition] of after.source.kinds) {
    if (definition.type !== 'generic') continue;
    if (isSameDefinition(before.source.kinds.get(name), definition)) kept.add(definition.id);
  }
  return kept;
}

/** What the store keeps beside what is visible: the ids of constraints, and values of attributes that joined late. */
function hasSameKeys(a: ConcreteSchema, b: ConcreteSchema): boolean {
  if (a.uniqueness.length !== b.uniqueness.length) return false;
  if (!a.uniqueness.every(({id}, index) => id === b.uniqueness[index]?.id)) return false;
  if (a.type !== 'node' || b.type !== 'node') return true;
  return a.late.size === b.late.size && [...a.late].every(([id, value]) => sameLate(b, id, value));
}

const sameLate = (kind: {readonly late: ReadonlyMap<string, Json>}, id: string, value: Json): boolean => {
  const other = kind.late.get(id);
  return other !== undefined && sameJson(other, value);
};

const isSameDefinition = (a: KindDefinition | undefined, b: KindDefinition | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && sameJson(a, b));
