import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import {attributeNames} from '../types/attribute-names.ts';

const ADDED = ['value', 'is_default', 'is_from_profile'];

/** Writes out `@expand`: id, type name and every attribute that is not excluded, before the document is validated. */
export function expand(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const types = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(types, {
      Field: {
        leave(node: FieldNode) {
          const directive = node.directives?.find(({name}) => name.value === 'expand');
          if (directive === undefined) return undefined;
          const type = getNamedType(types.getType());
          if (!isCompositeType(type) || !(isObjectType(type) || isInterfaceType(type))) return undefined;
          const excluded = excludedBy(directive.arguments?.[0]?.value);
          const names = attributeNames(type).filter(name => !excluded.has(name));
          const selections: SelectionNode[] = [
            ...(node.selectionSet?.selections ?? []),
            field('id'),
            field('__typename'),
            ...names.map(name => field(name, ADDED)),
          ];
          return {...node, selectionSet: {kind: Kind.SELECTION_SET, selections}};
        },
      },
    }),
  );
}

function excludedBy(value: unknown): ReadonlySet<string> {
  const node = value as
    | {readonly values?: readonly {readonly value?: string}[]; readonly value?: string}
    | undefined;
  return new Set((node?.values ?? [node]).flatMap(item => item?.value ?? []));
}

function field(name: string, below?: readonly string[]): FieldNode {
  const node = {kind: Kind.FIELD, name: {kind: Kind.NAME, value: name}} as const;
  if (below === undefined) return node;
  return {...node, selectionSet: {kind: Kind.SELECTION_SET, selections: below.map(item => field(item))}};
}
