import {
  type FieldNode,
  type GraphQLCompositeType,
  GraphQLError,
  getNamedType,
  isCompositeType,
  type SelectionSetNode,
} from 'graphql';
import {requireShown} from '../../domain/access/narrow-query.ts';
import type {View} from '../../domain/access/view.ts';
import {permissionDenied} from '../../domain/errors.ts';
import {attributeOf, concreteKindOf, implementations, isKindOf, kindOf} from '../../domain/schema/lookup.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import {meaningOf} from './meaning.ts';
import {everyField, type Reading, responseKey} from './plan/document.ts';

/** What a selection on objects would show, as far as it can be told before anything is read. */
export interface Viewed {
  /** Kinds and generics whose objects are asked for. */
  readonly kinds: ReadonlySet<string>;
  readonly fields: readonly ViewedField[];
}

interface ViewedField {
  /** The kind or generic of which it is asked. */
  readonly kind: string;
  readonly name: string;
  /** Where it stands in the answer; places in lists are left out, since it stands in each. */
  readonly path: readonly string[];
  readonly node: FieldNode;
  isHidden(view: View, concreteKind: string): boolean;
}

export function viewedBy(
  reading: Reading,
  schema: Schema,
  kind: string | undefined,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): Viewed {
  const kinds = new Set<string>(kind === undefined ? [] : [kind]);
  const fields: ViewedField[] = [];
  collect(reading, schema, type, sets, [], kinds, fields);
  return {kinds, fields};
}

function collect(
  reading: Reading,
  schema: Schema,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
  above: readonly string[],
  kinds: Set<string>,
  fields: ViewedField[],
): void {
  for (const {node, field, of} of everyField(reading, type, sets)) {
    const meaning = meaningOf(field);
    const path = [...above, responseKey(node)];
    if (meaning?.is === 'peers') kinds.add(meaning.peer);
    const isHidden = hiding(schema, of.name, field.name, meaning?.is === 'label' ? meaning.label : undefined);
    if (isHidden !== undefined) fields.push({kind: of.name, name: field.name, path, node, isHidden});
    const inner = getNamedType(field.type);
    if (isCompositeType(inner) && node.selectionSet !== undefined) {
      collect(reading, schema, inner, [node.selectionSet], path, kinds, fields);
    }
  }
}

function hiding(
  schema: Schema,
  kindName: string,
  field: string,
  label: 'display_label' | 'hfid' | undefined,
): ViewedField['isHidden'] | undefined {
  const kind = kindOf(schema, kindName);
  if (kind === undefined) return undefined;
  if (label !== undefined) return (view, concrete) => !view.showsLabel(concrete, label);
  if (attributeOf(kind, field) === undefined) return undefined;
  return (view, concrete) => !view.showsAttribute(concrete, field);
}

/** Refuses a selection for whose objects there is nothing that may be seen. */
export function requireViewed(view: View, schema: Schema, {kinds}: Viewed): void {
  if (view.isWhole) return;
  for (const kind of kinds) requireShown(view, schema, kind);
}

/** An error for each field that is null because it may not be seen. It depends on no object. */
export function hiddenFields(
  view: View,
  schema: Schema,
  {fields}: Viewed,
  above: readonly string[],
): readonly GraphQLError[] {
  if (view.isWhole) return [];
  return fields.flatMap(({kind, name, path, node, isHidden}) => {
    const asked = concreteKindOf(schema, kind) === undefined ? implementations(schema, kind) : [kind];
    const hiding = asked.find(each => view.shows(each) && isHidden(view, each));
    if (hiding === undefined) return [];
    const refused = permissionDenied(`You are not allowed to view ${name} of ${hiding}`, {
      action: 'view',
      kind: hiding,
      attribute: name,
    });
    const options = {nodes: [node], path: [...above, ...path], originalError: refused};
    return [new GraphQLError(refused.message, options)];
  });
}

/** Everybody may see the account they come with, also those who may see no others. */
export function ownView(view: View, schema: Schema): View {
  if (view.isWhole) return view;
  const isOwn = (kind: string) => !view.shows(kind) && isKindOf(schema, kind, 'CoreGenericAccount');
  return {
    isWhole: false,
    shows: kind => view.shows(kind),
    showsAttribute: (kind, attribute) => isOwn(kind) || view.showsAttribute(kind, attribute),
    hidesSome: kind => !isOwn(kind) && view.hidesSome(kind),
    showsLabel: (kind, label) => isOwn(kind) || view.showsLabel(kind, label),
  };
}
