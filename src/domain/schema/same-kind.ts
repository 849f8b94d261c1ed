import type {KindSchema} from './schema.ts';

/**
 * Whether two forms of a kind are the same, told without comparing them property by property: hashes cover what is
 * visible, and ids tell a field from one of the same name that took its place.
 */
export function isSameKind(a: KindSchema, b: KindSchema): boolean {
  if (a === b) return true;
  if (a.id !== b.id || a.hash !== b.hash || a.fields.size !== b.fields.size) return false;
  for (const [name, field] of b.fields) if (a.fields.get(name)?.id !== field.id) return false;
  return true;
}
