import {validationError} from '../../domain/errors.ts';
import type {AttributeWrite, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {changes, unchosenValue} from '../../domain/node/attribute-plan.ts';
import type {FieldProblem} from '../../domain/node/field-problem.ts';
import {invalidFields} from '../../domain/node/field-problem.ts';
import {objectsRefreshedMax, refreshBatchSize} from '../../domain/node/limits.ts';
import {byPriority, profiledAttributes, profiledValue} from '../../domain/node/profile-values.ts';
import type {NodeWork, Placed} from './node-work.ts';

/** Lays the values of profiles anew into the objects whose profiles, or whose profiles' values, have changed. */
export async function refreshProfiledValues(work: NodeWork): Promise<void> {
  for (const [kind, ids] of await objectsToRefresh(work)) {
    for (let start = 0; start < ids.length; start += refreshBatchSize) {
      const batch = ids.slice(start, start + refreshBatchSize);
      const {found} = await work.draft.query({
        kind,
        where: {is: 'id', in: batch},
        include: [{relationship: 'profiles'}],
      });
      for (const {node, included} of found) {
        const profiles = included.flatMap(page => page.found.map(each => each.node));
        await refresh(work, node, byPriority(profiles));
      }
    }
  }
}

/** The attributes that nobody chose, as these profiles have them. */
async function refresh(work: NodeWork, node: NodeRecord, profiles: readonly NodeRecord[]): Promise<void> {
  const {kind} = work.facts.kind(node.kind);
  const writes: Record<string, AttributeWrite> = {};
  const problems: FieldProblem[] = [];
  for (const attribute of profiledAttributes(kind)) {
    const state = node.attribute(attribute.name);
    if (state === undefined || !state.isDefault) continue;
    if (!state.isFromProfile && profiledValue(profiles, attribute.name) === undefined) continue;
    const outcome = unchosenValue(kind, attribute, profiles);
    if ('problems' in outcome) {
      problems.push(...outcome.problems);
      continue;
    }
    const write = {source: null, ...outcome};
    if (changes(state, write)) writes[attribute.name] = write;
  }
  if (problems.length > 0) throw invalidFields(node.kind, problems);
  if (Object.keys(writes).length === 0) return;
  await work.update(node.id, writes);
  work.touchValues(node, Object.keys(writes));
}

async function objectsToRefresh(work: NodeWork): Promise<ReadonlyMap<string, readonly NodeId[]>> {
  const byKind = new Map<string, Set<NodeId>>();
  let size = 0;
  const add = ({id, kind}: Placed) => {
    const ids = byKind.get(kind) ?? new Set();
    byKind.set(kind, ids.add(id));
    size += 1;
    if (size <= objectsRefreshedMax) return;
    throw validationError(`This change reaches more than ${objectsRefreshedMax} objects through profiles`);
  };
  for (const {node, kind, relationship, gained} of work.ends.values()) {
    const isUser = relationship.kind === 'Profile' && !work.schema.profiles.has(kind);
    // An object just made has the profiles that it was given.
    const isMoved = gained || !work.made.has(node);
    if (isUser && isMoved && !work.deleted.has(node)) add({id: node, kind});
  }
  for (const [id, {kind}] of work.values) {
    if (!work.schema.profiles.has(kind) || work.made.has(id) || work.deleted.has(id)) continue;
    for (const user of await work.draft.neighbours(id, 'related_nodes')) add(user);
  }
  return new Map(Array.from(byKind, ([kind, ids]) => [kind, [...ids]]));
}
