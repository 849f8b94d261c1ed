import {uuidFromHash} from '../../../base/hash.ts';
import type {UniquenessConstraint} from '../schema.ts';
import {findField, type KindDraft, type NodeDraft, type Workspace} from './draft.ts';

/**
 * Works out what is unique, and by which id people know an object.
 *
 * A unique attribute and a constraint on its value alone are the same thing. A human-friendly id must tell
 * objects apart, so it is a constraint too. What a generic keeps unique is unique across all its kinds.
 */
export function addUniqueness(workspace: Workspace): void {
  for (const generic of workspace.generics.values()) settle(generic, []);
  for (const node of workspace.nodes.values()) settle(node, constraintsOfGenerics(workspace, node));
  for (const profile of workspace.profiles.values()) settle(profile, []);
  for (const template of workspace.templates.values()) settle(template, []);
}

function settle(draft: KindDraft, fromGenerics: readonly UniquenessConstraint[]): void {
  const constraints = new Map(fromGenerics.map(constraint => [keyOf(constraint.paths), constraint]));
  const add = (paths: readonly string[]) => {
    const key = keyOf(paths);
    if (!constraints.has(key)) constraints.set(key, constraintOn(draft, paths));
  };
  for (const paths of draft.uniqueness_constraints ?? []) add(paths);
  for (const attribute of draft.attributes) {
    if (attribute.unique) add([`${attribute.name}__value`]);
  }
  draft.human_friendly_id ??= derivedHumanFriendlyId(draft);
  if (draft.human_friendly_id !== null) add(draft.human_friendly_id.map(path => reducedPath(draft, path)));
  draft.uniqueness = [...constraints.values()];
  draft.uniqueness_constraints =
    draft.uniqueness.length === 0 ? null : draft.uniqueness.map(constraint => constraint.paths);
}

function constraintsOfGenerics(workspace: Workspace, node: NodeDraft): readonly UniquenessConstraint[] {
  return node.inherit_from.flatMap(name => {
    const generic = workspace.generics.get(name);
    return generic?.uniqueness.filter(constraint => !isLifted(node, constraint)) ?? [];
  });
}

/** A node may override a unique attribute of its generic with one that is not. */
function isLifted(node: NodeDraft, constraint: UniquenessConstraint): boolean {
  if (constraint.paths.length !== 1) return false;
  const field = findField(node, constraint.paths[0]?.split('__')[0] ?? '');
  return field?.is === 'attribute' && !field.inherited && !field.unique;
}

function derivedHumanFriendlyId(draft: KindDraft): readonly string[] | null {
  const unique = draft.attributes.find(attribute => attribute.unique);
  if (unique !== undefined) return [`${unique.name}__value`];
  const alone = draft.uniqueness_constraints?.find(paths => paths.length === 1 && paths[0]?.includes('__'));
  return alone ?? null;
}

/** `site__name__value` counts as `site`: the object itself is what a constraint compares. */
function reducedPath(draft: KindDraft, path: string): string {
  const first = path.split('__')[0] ?? path;
  return findField(draft, first)?.is === 'relationship' ? first : path;
}

const keyOf = (paths: readonly string[]): string => [...paths].sort().join(' ');

function constraintOn(draft: KindDraft, paths: readonly string[]): UniquenessConstraint {
  const parts = paths.map(path => {
    const [first = '', ...rest] = path.split('__');
    return [findField(draft, first)?.id ?? first, ...rest].join('.');
  });
  return {id: uuidFromHash(`unique:${draft.id}:${parts.sort().join(' ')}`), paths, scope: draft.kind};
}
