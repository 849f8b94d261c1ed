import type {
  AttributeSchema,
  ConcreteSchema,
  GenericSchema,
  KindSchema,
  NodeSchema,
  RelationshipSchema,
  Schema,
} from './schema.ts';

export function kindOf(schema: Schema, name: string): KindSchema | undefined {
  return (
    schema.nodes.get(name) ??
    schema.generics.get(name) ??
    schema.profiles.get(name) ??
    schema.templates.get(name)
  );
}

/** A kind that has objects of its own: a node, a profile or a template. */
export function concreteKindOf(schema: Schema, name: string): ConcreteSchema | undefined {
  return schema.nodes.get(name) ?? schema.profiles.get(name) ?? schema.templates.get(name);
}

export function* allKinds(schema: Schema): Iterable<KindSchema> {
  yield* schema.nodes.values();
  yield* schema.generics.values();
  yield* schema.profiles.values();
  yield* schema.templates.values();
}

/** The kinds that people declare: those that the service derives need no checks of their own. */
export function* declaredKinds(schema: Schema): Iterable<NodeSchema | GenericSchema> {
  yield* schema.nodes.values();
  for (const generic of schema.generics.values()) {
    if (generic.namespace !== 'Template') yield generic;
  }
}

export function* concreteKinds(schema: Schema): Iterable<ConcreteSchema> {
  yield* schema.nodes.values();
  yield* schema.profiles.values();
  yield* schema.templates.values();
}

export function attributeOf(kind: KindSchema, name: string): AttributeSchema | undefined {
  const field = kind.fields.get(name);
  return field?.is === 'attribute' ? field : undefined;
}

export function relationshipOf(kind: KindSchema, name: string): RelationshipSchema | undefined {
  const field = kind.fields.get(name);
  return field?.is === 'relationship' ? field : undefined;
}

/** The concrete kinds that an object asked for as `name` may be of: itself, or what implements the generic. */
export function implementations(schema: Schema, name: string): readonly string[] {
  return schema.generics.get(name)?.used_by ?? (concreteKindOf(schema, name) === undefined ? [] : [name]);
}

const usedBySets = new WeakMap<GenericSchema, ReadonlySet<string>>();

/** Whether an object of `kind` may stand where `asked`, a kind or a generic, is asked for. */
export function isKindOf(schema: Schema, kind: string, asked: string): boolean {
  if (kind === asked) return true;
  const generic = schema.generics.get(asked);
  if (generic === undefined) return false;
  const known = usedBySets.get(generic) ?? new Set(generic.used_by);
  usedBySets.set(generic, known);
  return known.has(kind);
}

/** Every generic that objects of the kind answer to, `CoreNode` included. */
export function genericsOfKind(schema: Schema, kind: ConcreteSchema): readonly string[] {
  const declared = kind.inherit_from.filter(name => schema.generics.has(name));
  const answersToAll = !declared.includes('CoreNode') && isKindOf(schema, kind.kind, 'CoreNode');
  return answersToAll ? [...declared, 'CoreNode'] : declared;
}

/** The other view of the same edge on a kind, or undefined when that kind does not declare one. */
export function inverseOn(
  kind: KindSchema,
  relationship: RelationshipSchema,
): RelationshipSchema | undefined {
  const direction = opposite(relationship.direction);
  return kind.relationships.find(
    each => each.identifier === relationship.identifier && each.direction === direction,
  );
}

function opposite(direction: RelationshipSchema['direction']): RelationshipSchema['direction'] {
  if (direction === 'bidirectional') return direction;
  return direction === 'inbound' ? 'outbound' : 'inbound';
}
