import type {
  AttributeDefinition,
  FieldDefinition,
  GenericDefinition,
  KindDefinition,
  NodeDefinition,
} from './source.ts';

type Kinds = ReadonlyMap<string, KindDefinition>;

export const isAttribute = (field: FieldDefinition): field is AttributeDefinition => 'unique' in field;

export const fieldsOf = (kind: KindDefinition): readonly FieldDefinition[] => [
  ...kind.attributes,
  ...kind.relationships,
];

/** The generics of a node that exist, in the order the node lists them. */
export function genericsOf(kinds: Kinds, node: NodeDefinition): readonly GenericDefinition[] {
  return node.inherit_from.flatMap(name => {
    const generic = kinds.get(name);
    return generic?.type === 'generic' ? generic : [];
  });
}

/** The field that a node inherits under a name, from the first generic that has it. */
export function inheritedField(
  kinds: Kinds,
  node: NodeDefinition,
  name: string,
): {readonly generic: GenericDefinition; readonly field: FieldDefinition} | undefined {
  for (const generic of genericsOf(kinds, node)) {
    const field = fieldsOf(generic).find(each => each.name === name);
    if (field !== undefined) return {generic, field};
  }
  return undefined;
}

/** Own attributes, then the inherited ones that no own field and no earlier generic hides. */
export function effectiveAttributes(kinds: Kinds, node: NodeDefinition): readonly AttributeDefinition[] {
  const seen = new Set(fieldsOf(node).map(field => field.name));
  const attributes = [...node.attributes];
  for (const generic of genericsOf(kinds, node)) {
    for (const attribute of generic.attributes) {
      if (seen.has(attribute.name)) continue;
      seen.add(attribute.name);
      attributes.push(attribute);
    }
  }
  return attributes;
}
