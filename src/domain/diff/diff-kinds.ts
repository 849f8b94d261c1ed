import {isJsonObject, type Json, type JsonObject, sameJson} from '../../base/json.ts';
import type {Conflict} from '../merge/conflict.ts';
import type {Instant} from '../time/instant.ts';
import type {DiffAttribute, DiffNode, DiffStatus} from './diff-node.ts';

/** A kind of the schema as it was declared. */
export interface DeclaredKind {
  readonly id: string;
  readonly definition: Json;
}

/** What changed in the schema, a kind a node: its own properties, and each of its fields as `attributes.name`. */
export function diffKinds(
  before: readonly DeclaredKind[],
  after: readonly DeclaredKind[],
  conflicts: readonly Conflict[],
  changedAt: Instant,
): readonly DiffNode[] {
  const old = declared(before);
  const now = declared(after);
  const nodes: DiffNode[] = [];
  for (const id of new Set([...old.keys(), ...now.keys()])) {
    const node = diffKind(id, old.get(id), now.get(id), conflicts, changedAt);
    if (node !== undefined) nodes.push(node);
  }
  return nodes.sort((a, b) => ((a.label ?? '') < (b.label ?? '') ? -1 : 1));
}

const declared = (kinds: readonly DeclaredKind[]): ReadonlyMap<string, JsonObject> =>
  new Map(
    kinds.flatMap(({id, definition}) =>
      isJsonObject(definition) && typeof definition.namespace === 'string' ? [[id, definition] as const] : [],
    ),
  );

function diffKind(
  id: string,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  conflicts: readonly Conflict[],
  changedAt: Instant,
): DiffNode | undefined {
  const shown = (after ?? before)!;
  const label = `${shown.namespace as string}${shown.name as string}`;
  const path = `schema/${label}`;
  const own = conflicts.filter(
    ({subject}) => subject.is === 'schema' && subject.path.split('.')[0] === label,
  );
  const left = new Set(own);
  const [old, now] = [flat(before), flat(after)];
  const attributes: DiffAttribute[] = [];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [a, b] = [old.get(name), now.get(name)];
    if (a !== undefined && b !== undefined && sameJson(a, b)) continue;
    const status: DiffStatus = a === undefined ? 'added' : b === undefined ? 'removed' : 'updated';
    const conflict = own.find(({subject}) => subject.is === 'schema' && isAt(subject.path, label, name));
    if (conflict !== undefined) left.delete(conflict);
    attributes.push({
      name,
      status,
      path: `${path}/${name.replaceAll('.', '/')}`,
      changedAt,
      conflict,
      properties: [
        {
          type: 'HAS_VALUE',
          status,
          path: `${path}/${name.replaceAll('.', '/')}/value`,
          changedAt,
          before: a ?? null,
          after: b ?? null,
          conflict: undefined,
        },
      ],
    });
  }
  if (attributes.length === 0 && own.length === 0) return undefined;
  return {
    id,
    kind: shown.type === 'generic' ? 'SchemaGeneric' : 'SchemaNode',
    label,
    status: before === undefined ? 'added' : after === undefined ? 'removed' : 'updated',
    path,
    changedAt,
    conflict: [...left][0],
    attributes,
    relationships: [],
  };
}

/** `Kind.field` and `Kind.field.property` stand at the field, `Kind.property` at the property. */
function isAt(conflictPath: string, kind: string, name: string): boolean {
  const field = name.split('.').at(-1) ?? '';
  return conflictPath === `${kind}.${field}` || conflictPath.startsWith(`${kind}.${field}.`);
}

/** What the service notes for itself beside a declaration. */
const UNTOLD: ReadonlySet<string> = new Set(['id', 'late', 'type']);
const FIELD_LISTS: ReadonlySet<string> = new Set(['attributes', 'relationships']);

function flat(definition: JsonObject | undefined): ReadonlyMap<string, Json> {
  const values = new Map<string, Json>();
  for (const [name, value] of Object.entries(definition ?? {})) {
    if (UNTOLD.has(name)) continue;
    if (!FIELD_LISTS.has(name)) {
      if (value !== null) values.set(name, value);
      continue;
    }
    for (const field of value as readonly Json[]) {
      if (isJsonObject(field)) values.set(`${name}.${field.name as string}`, field);
    }
  }
  return values;
}
