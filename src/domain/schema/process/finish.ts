import {md5Hex} from '../../../base/hash.ts';
import {hashKind, hashSchema} from '../hash-schema.ts';
import type {FieldSchema, Namespace, Schema} from '../schema.ts';
import {RESTRICTED_NAMESPACES} from '../vocabulary.ts';
import type {KindDraft, Workspace} from './draft.ts';

/** Closes the drafts: fields by name, hashes, namespaces. */
export function finish(workspace: Workspace): Schema {
  const {nodes, generics, profiles, templates} = workspace;
  for (const drafts of [nodes, generics, templates]) {
    for (const draft of drafts.values()) {
      draft.fields = fieldsByName(draft);
      draft.hash = hashKind(draft);
    }
  }
  for (const profile of profiles.values()) {
    profile.fields = fieldsByName(profile);
    // A profile follows from its kind alone, and the kind's hash is at hand.
    const kind = nodes.get(profile.profiledKind) ?? generics.get(profile.profiledKind);
    profile.hash = md5Hex(`profile ${kind?.hash}`);
  }
  const declared = [...nodes.values(), ...generics.values()].filter(kind => kind.namespace !== 'Template');
  return {
    hash: hashSchema(declared),
    nodes,
    generics,
    profiles,
    templates,
    namespaces: namespacesOf(workspace),
  };
}

function fieldsByName(draft: KindDraft): ReadonlyMap<string, FieldSchema> {
  const fields = new Map<string, FieldSchema>();
  for (const attribute of draft.attributes) fields.set(attribute.name, attribute);
  for (const relationship of draft.relationships) fields.set(relationship.name, relationship);
  return fields;
}

function namespacesOf({nodes, generics, profiles, templates}: Workspace): readonly Namespace[] {
  const names = new Set<string>();
  for (const drafts of [nodes, generics, profiles, templates]) {
    for (const draft of drafts.values()) names.add(draft.namespace);
  }
  names.delete('Internal');
  return [...names].sort().map(name => ({name, user_editable: !RESTRICTED_NAMESPACES.has(name)}));
}
