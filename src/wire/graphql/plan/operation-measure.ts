import {
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  getNamedType,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import {kindOf} from '../../../domain/schema/lookup.ts';
import {meaningOf} from '../meaning.ts';
import {mutationOf} from '../mutation/mutation-meaning.ts';
import type {BranchGraphql} from '../types/branch-graphql.ts';
import {fieldOf} from './document.ts';

/** How large an operation is, whatever its variables. */
export interface OperationMeasure {
  /** Levels of fields below each other. */
  readonly depth: number;
  /** Fields asked for, those of fragments included at each place where they are spread. */
  readonly height: number;
  /** The kinds and generics it is about. */
  readonly kinds: ReadonlySet<string>;
}

function kindsOf(field: GraphQLField<unknown, unknown>): readonly string[] {
  const verb = mutationOf(field);
  const meaning = meaningOf(field);
  const read = meaning?.is === 'list' ? [meaning.kind] : meaning?.is === 'peers' ? [meaning.peer] : [];
  return verb === undefined ? read : [verb.kind, ...read];
}

/** Of a document that is valid for the face. */
export function measureOperation(
  face: BranchGraphql,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): OperationMeasure {
  const kinds = new Set<string>();
  let height = 0;
  const noteKind = (name: string) => {
    if (kindOf(face.schema, name) !== undefined) kinds.add(name);
  };

  function below(set: SelectionSetNode, type: GraphQLCompositeType): number {
    noteKind(type.name);
    let depth = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        height += 1;
        const field = fieldOf(face.graphql, type, selection.name.value);
        for (const kind of field === undefined ? [] : kindsOf(field)) noteKind(kind);
        const inner = field === undefined ? undefined : getNamedType(field.type);
        const {selectionSet} = selection;
        const more = selectionSet !== undefined && isCompositeType(inner) ? below(selectionSet, inner) : 0;
        depth = Math.max(depth, 1 + more);
        continue;
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      const condition = fragment?.typeCondition?.name.value;
      const inner = condition === undefined ? type : face.graphql.getType(condition);
      if (fragment !== undefined && isCompositeType(inner)) {
        depth = Math.max(depth, below(fragment.selectionSet, inner));
      }
    }
    return depth;
  }

  const root = face.graphql.getRootType(operation.operation);
  const depth = root ? below(operation.selectionSet, root) : 0;
  return {depth, height, kinds};
}
