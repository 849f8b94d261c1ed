import type {KindDraft, Workspace} from './draft.ts';

/**
 * Notes on each generic which concrete kinds answer to it. `CoreNode` needs no declaration: every kind
 * answers to it, except groups, which hold such objects, and the service's internal records.
 */
export function addUsedBy(workspace: Workspace): void {
  const usedBy = new Map<string, Set<string>>();
  const add = (generic: string, kind: string) => {
    const known = usedBy.get(generic);
    if (known === undefined) usedBy.set(generic, new Set([kind]));
    else known.add(kind);
  };
  const concrete: readonly Iterable<Exclude<KindDraft, {type: 'generic'}>>[] = [
    workspace.nodes.values(),
    workspace.profiles.values(),
    workspace.templates.values(),
  ];
  for (const drafts of concrete) {
    for (const draft of drafts) {
      for (const generic of draft.inherit_from) add(generic, draft.kind);
      if (draft.namespace !== 'Internal' && !draft.inherit_from.includes('CoreGroup'))
        add('CoreNode', draft.kind);
    }
  }
  for (const generic of workspace.generics.values()) {
    generic.used_by = [...(usedBy.get(generic.kind) ?? [])].sort();
  }
}
