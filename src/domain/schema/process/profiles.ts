import {derivedId} from '../ids.ts';
import type {AttributeSchema} from '../schema.ts';
import {PROFILE_IDENTIFIER, RESTRICTED_NAMESPACES} from '../vocabulary.ts';
import {derivedRelationship} from './derived-relationship.ts';
import type {GenericDraft, NodeDraft, ProfileDraft, Workspace} from './draft.ts';
import {hasField} from './draft.ts';

/** A profile kind for each kind that wants one, and the relationship that leads to it. */
export function addProfiles(workspace: Workspace): void {
  const core = workspace.generics.get('CoreProfile');
  if (core === undefined) return;
  for (const draft of [...workspace.nodes.values(), ...workspace.generics.values()]) {
    if (!draft.generate_profile || RESTRICTED_NAMESPACES.has(draft.namespace)) continue;
    const profile = profileOf(draft, core);
    workspace.profiles.set(profile.kind, profile);
    if (!hasField(draft, 'profiles')) {
      draft.relationships.push(
        derivedRelationship(draft, {
          name: 'profiles',
          label: 'Profiles',
          peer: 'CoreProfile',
          kind: 'Profile',
          identifier: PROFILE_IDENTIFIER,
          cardinality: 'many',
          branch: draft.branch === 'local' ? 'local' : 'aware',
          order_weight: 92_000,
          description: 'The profiles that supply values this object does not set itself',
        }),
      );
    }
  }
}

function profileOf(draft: NodeDraft | GenericDraft, core: GenericDraft): ProfileDraft {
  const kind = `Profile${draft.kind}`;
  const profile: ProfileDraft = {
    type: 'profile',
    profiledKind: draft.kind,
    id: derivedId(draft.id, 'profile'),
    kind,
    name: draft.kind,
    namespace: 'Profile',
    hash: '',
    label: `Profile ${draft.label}`,
    description: `Profile for ${draft.kind}`,
    branch: draft.branch,
    human_friendly_id: ['profile_name__value'],
    display_label: null,
    display_labels: ['profile_name__value'],
    default_filter: 'profile_name__value',
    order_by: ['profile_priority__value', 'profile_name__value'],
    uniqueness_constraints: [['profile_name__value']],
    include_in_menu: false,
    menu_placement: null,
    icon: draft.icon,
    documentation: null,
    inherit_from: ['LineageSource', 'CoreProfile', 'CoreNode'],
    attributes: core.attributes.map(each => ({...each, branch: draft.branch, inherited: true})),
    relationships: [],
    fields: new Map(),
    uniqueness: [],
  };
  const taken = new Set(['related_nodes', ...profile.attributes.map(each => each.name)]);
  for (const attribute of draft.attributes) {
    if (attribute.read_only || attribute.unique || taken.has(attribute.name)) continue;
    profile.attributes.push(profiled(attribute));
  }
  profile.relationships.push(
    derivedRelationship(profile, {
      name: 'related_nodes',
      label: 'Related Nodes',
      peer: draft.kind,
      kind: 'Profile',
      identifier: PROFILE_IDENTIFIER,
      cardinality: 'many',
      branch: draft.branch === 'local' ? 'local' : 'aware',
      order_weight: 96_000,
      description: 'The objects that use this profile',
    }),
  );
  return profile;
}

const profiledAttributes = new WeakMap<AttributeSchema, AttributeSchema>();

/**
 * The element keeps its id, so that a rename carries the profiles' values along. Heirs share the very
 * attributes they inherit, and so do their profiles.
 */
function profiled(attribute: AttributeSchema): AttributeSchema {
  const known = profiledAttributes.get(attribute);
  if (known !== undefined) return known;
  const copy: AttributeSchema = {
    ...attribute,
    optional: true,
    default_value: null,
    computed_attribute: null,
    inherited: false,
  };
  profiledAttributes.set(attribute, copy);
  return copy;
}
