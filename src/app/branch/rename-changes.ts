import type {NodeChange} from '../../domain/diff/change.ts';
import {concreteKindOf, concreteKinds} from '../../domain/schema/lookup.ts';
import type {ConcreteSchema, Schema} from '../../domain/schema/schema.ts';

/**
 * The changes of one side by the names of the schema that both sides share from now on. Kinds and fields are matched
 * by id, so that a rename on one side and a change on the other meet. A field that is gone has no change.
 */
export function renamedChanges(
  changes: readonly NodeChange[],
  from: Schema,
  to: Schema,
): readonly NodeChange[] {
  if (from === to) return changes;
  const byId = new Map(Array.from(concreteKinds(to), kind => [kind.id, kind]));
  const names = new Map<string, FieldNames | undefined>();
  const namesOf = (kind: string): FieldNames | undefined => {
    if (!names.has(kind)) {
      const before = concreteKindOf(from, kind);
      const after = before === undefined ? undefined : byId.get(before.id);
      names.set(kind, before === undefined || after === undefined ? undefined : fieldNames(before, after));
    }
    return names.get(kind);
  };
  return changes.map(change => {
    const known = namesOf(change.kind);
    if (known === undefined || known.isSame) return change;
    return {
      ...change,
      kind: known.kind,
      attributes: change.attributes.flatMap(item => {
        const name = known.fields.get(item.name);
        return name === undefined ? [] : {...item, name};
      }),
      edges: change.edges.flatMap(item => {
        const relationship = known.fields.get(item.relationship);
        return relationship === undefined ? [] : {...item, relationship};
      }),
    };
  });
}

interface FieldNames {
  readonly kind: string;
  /** What each field of the one schema is called in the other. */
  readonly fields: ReadonlyMap<string, string>;
  readonly isSame: boolean;
}

function fieldNames(before: ConcreteSchema, after: ConcreteSchema): FieldNames {
  const byId = new Map([...after.attributes, ...after.relationships].map(field => [field.id, field.name]));
  const fields = new Map<string, string>();
  let isSame = before.kind === after.kind;
  for (const {id, name} of [...before.attributes, ...before.relationships]) {
    const then = byId.get(id);
    if (then !== undefined) fields.set(name, then);
    isSame &&= then === name;
  }
  return {kind: after.kind, fields, isSame};
}
