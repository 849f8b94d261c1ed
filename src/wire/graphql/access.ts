import {type GraphQLCompositeType, getNamedType, isCompositeType, type SelectionSetNode} from 'graphql';
import {authorize, type Caller} from '../../app/caller.ts';
import {implementations} from '../../domain/schema/lookup.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import {meaningOf} from './meaning.ts';
import {everyField, type Reading} from './plan/document.ts';

/** Every kind whose objects the selection may show, those of generics written out. */
export function viewedKinds(
  reading: Reading,
  schema: Schema,
  kind: string,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): readonly string[] {
  const kinds = new Set<string>(implementations(schema, kind));
  collect(reading, schema, type, sets, kinds);
  return [...kinds];
}

function collect(
  reading: Reading,
  schema: Schema,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
  kinds: Set<string>,
): void {
  for (const {node, field} of everyField(reading, type, sets)) {
    const meaning = meaningOf(field);
    if (meaning?.is === 'peers') for (const kind of implementations(schema, meaning.peer)) kinds.add(kind);
    const inner = getNamedType(field.type);
    if (isCompositeType(inner) && node.selectionSet !== undefined) {
      collect(reading, schema, inner, [node.selectionSet], kinds);
    }
  }
}

export function authorizeView(caller: Caller, kinds: readonly string[], onDefaultBranch: boolean): void {
  for (const kind of kinds) authorize(caller, {is: 'object', action: 'view', kind, onDefaultBranch});
}
