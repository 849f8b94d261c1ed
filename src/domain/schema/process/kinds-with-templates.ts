import {draftOf, type Workspace} from './draft.ts';

/**
 * The kinds that have an object template: those that ask for one, and, through Component and Parent
 * relationships, every kind whose objects come with them. A generic stands for all kinds that implement it.
 */
export function kindsWithTemplates(workspace: Workspace): ReadonlySet<string> {
  const implementers = implementersOf(workspace);
  const wanted = new Set<string>();
  const owners = new Set<string>();
  let queue = [...workspace.nodes.values(), ...workspace.generics.values()]
    .filter(draft => draft.generate_template)
    .map(draft => draft.kind);
  while (queue.length > 0) {
    for (let kind = queue.pop(); kind !== undefined; kind = queue.pop()) {
      const draft = draftOf(workspace, kind);
      if (draft === undefined || wanted.has(kind)) continue;
      wanted.add(kind);
      for (const {kind: means, peer} of draft.relationships) {
        if (means === 'Component') queue.push(peer, ...(implementers.get(peer) ?? []));
        if (means === 'Parent') owners.add(peer);
      }
    }
    // An owner that is a generic need not be modelled in all its forms when one is modelled already.
    queue = [...owners].flatMap(owner => {
      const forms = implementers.get(owner) ?? [];
      return forms.some(form => wanted.has(form)) ? [owner] : [owner, ...forms];
    });
    queue = queue.filter(kind => !wanted.has(kind) && draftOf(workspace, kind) !== undefined);
  }
  return wanted;
}

function implementersOf(workspace: Workspace): ReadonlyMap<string, readonly string[]> {
  const implementers = new Map<string, string[]>();
  for (const node of workspace.nodes.values()) {
    for (const generic of node.inherit_from) {
      const known = implementers.get(generic);
      if (known === undefined) implementers.set(generic, [node.kind]);
      else known.push(node.kind);
    }
  }
  return implementers;
}
