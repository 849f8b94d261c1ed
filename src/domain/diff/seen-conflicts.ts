import type {NodeId} from '../graph/node-id.ts';
import type {Conflict, ConflictSide} from '../merge/conflict.ts';
import type {NodeChange} from './change.ts';
import {type Sight, seenChanges} from './seen-changes.ts';

/** What both sides did since the fork. */
export interface BothSides {
  readonly branch: readonly NodeChange[];
  readonly origin: readonly NodeChange[];
}

/**
 * The conflicts over what may be seen, in which nothing hidden has a part; each side is dated by what can be seen of
 * it. An object that one side deleted is in conflict only where the other did something to it that can be seen.
 */
export function seenConflicts(
  conflicts: readonly Conflict[],
  sides: BothSides,
  sight: Sight,
): readonly Conflict[] {
  const [branch, origin] = [byId(seenChanges(sides.branch, sight)), byId(seenChanges(sides.origin, sight))];
  return conflicts.flatMap(conflict => {
    const {subject} = conflict;
    if (subject.is === 'schema') return [conflict];
    const [ours, theirs] = [branch.get(subject.node), origin.get(subject.node)];
    const isSeen =
      isShown(conflict, sight) &&
      (subject.is !== 'node' || (isSeenSide(conflict.branch, ours) && isSeenSide(conflict.origin, theirs)));
    if (!isSeen) return [];
    return [
      {...conflict, branch: dated(conflict, 'branch', ours), origin: dated(conflict, 'origin', theirs)},
    ];
  });
}

const byId = (changes: readonly NodeChange[]): ReadonlyMap<NodeId, NodeChange> =>
  new Map(changes.map(change => [change.id, change]));

const isSeenSide = ({action}: ConflictSide, change: NodeChange | undefined): boolean =>
  action === 'removed' || change !== undefined;

function dated({subject, ...sides}: Conflict, side: 'branch' | 'origin', change?: NodeChange): ConflictSide {
  if (change === undefined) return sides[side];
  const attribute =
    subject.is === 'attribute' ? change.attributes.find(({name}) => name === subject.attribute) : undefined;
  return {...sides[side], changedAt: attribute?.after?.updatedAt ?? change.changedAt};
}

function isShown({subject, branch, origin}: Conflict, {shows, kindOf}: Sight): boolean {
  const showsObject = (id: NodeId) => {
    const kind = kindOf(id);
    return kind !== undefined && shows(kind);
  };
  switch (subject.is) {
    case 'schema':
      return true;
    case 'node':
      return shows(subject.kind);
    case 'edge':
      return shows(subject.kind) && showsObject(subject.peer);
    case 'unique':
      return subject.fields.every(field => shows(subject.kind, field)) && showsObject(subject.other);
    case 'attribute':
      if (!shows(subject.kind, subject.attribute)) return false;
      if (subject.property !== 'source' && subject.property !== 'owner') return true;
      break;
    default:
      if (!shows(subject.kind)) return false;
  }
  return [branch.value, origin.value].every(
    value => typeof value !== 'string' || showsObject(value as NodeId),
  );
}
