import {GROUP_MEMBER_IDENTIFIER, GROUP_SUBSCRIBER_IDENTIFIER} from '../vocabulary.ts';
import {derivedRelationship} from './derived-relationship.ts';
import {hasField, type KindDraft, type Workspace} from './draft.ts';

const WITHOUT_GROUPS: ReadonlySet<string> = new Set(['CoreGroup', 'LineageOwner', 'LineageSource']);

/** Lets objects of every kind join groups and subscribe to them; groups themselves do neither. */
export function addGroupRelationships(workspace: Workspace): void {
  if (!workspace.generics.has('CoreGroup')) return;
  const kinds: readonly Iterable<KindDraft>[] = [
    workspace.nodes.values(),
    workspace.generics.values(),
    workspace.profiles.values(),
    workspace.templates.values(),
  ];
  for (const drafts of kinds) {
    for (const draft of drafts) {
      const isGroup = draft.type !== 'generic' && draft.inherit_from.includes('CoreGroup');
      if (!isGroup && !WITHOUT_GROUPS.has(draft.kind)) addBoth(draft);
    }
  }
}

function addBoth(draft: KindDraft): void {
  const branch = draft.branch === 'local' ? 'local' : 'aware';
  const common = {peer: 'CoreGroup', kind: 'Group', cardinality: 'many', branch} as const;
  if (!hasField(draft, 'member_of_groups')) {
    draft.relationships.push(
      derivedRelationship(draft, {
        ...common,
        name: 'member_of_groups',
        label: 'Member Of Groups',
        identifier: GROUP_MEMBER_IDENTIFIER,
        order_weight: 94_000,
        description: 'The groups that this object is a member of',
      }),
    );
  }
  if (!hasField(draft, 'subscriber_of_groups')) {
    draft.relationships.push(
      derivedRelationship(draft, {
        ...common,
        name: 'subscriber_of_groups',
        label: 'Subscriber Of Groups',
        identifier: GROUP_SUBSCRIBER_IDENTIFIER,
        order_weight: 95_000,
        description: 'The groups whose changes this object follows',
      }),
    );
  }
}
