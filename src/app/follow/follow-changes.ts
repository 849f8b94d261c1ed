import {comparePlaces, type EventPlace, placeAfter} from '../../domain/event/event-place.ts';
import type {GraphEvent} from '../../domain/event/graph-event.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {EventLog} from '../../ports/event-log.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {affectedArtifacts} from '../artifact/affected.ts';
import type {Services} from '../services.ts';
import {handlerOf, type TaskHandler, type TaskRun} from '../task/workflow.ts';
import {type BranchChanges, changesByBranch} from './changes-of-branch.ts';
import type {ContentFollowing} from './content-following.ts';
import {type DefinitionDeps, followDefinitions} from './follow-definitions.ts';
import {followRepositories} from './follow-repositories.ts';
import {FOLLOW} from './follow-workflow.ts';
import {GenerationPlan} from './generation-plan.ts';

export type FollowDeps = Pick<Services, 'store' | 'schemas' | 'tasks'> &
  DefinitionDeps & {readonly events: EventLog; readonly following: ContentFollowing};

/** The stretch that this process has looked at is not looked at again, unless somebody wants it. */
export function followHandler(deps: FollowDeps): TaskHandler {
  let known: {readonly from: EventPlace; readonly until: EventPlace} | undefined;
  return handlerOf(FOLLOW, async (task, run) => {
    const from = placeAfter(task.after);
    const isKnown =
      known !== undefined && comparePlaces(known.from, from) <= 0 && comparePlaces(from, known.until) < 0;
    const start = known !== undefined && isKnown && !task.isAgain ? known.until : from;
    const {tasks, reached} = await followChanges(deps, start, run);
    known = {from: known !== undefined && isKnown ? known.from : from, until: reached};
    return {tasks};
  });
}

/** Reads what was committed and queues what follows from it. Doing it twice queues work that changes nothing. */
async function followChanges(
  deps: FollowDeps,
  start: EventPlace,
  run: TaskRun,
): Promise<{readonly tasks: number; readonly reached: EventPlace}> {
  // What is queued below writes, and its commits are to be followed in turn.
  await deps.following.look();
  let from = start;
  let tasks = 0;
  for (let isEnd = false; !isEnd; ) {
    run.signal.throwIfAborted();
    const read = await deps.events.events({from});
    tasks += await followEvents(deps, read.events);
    from = read.reached;
    isEnd = read.isEnd;
  }
  return {tasks, reached: from};
}

async function followEvents(deps: FollowDeps, events: readonly GraphEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  await followRepositories(deps, events);
  const names = (await deps.store.branches()).map(({name}) => name);
  let tasks = 0;
  for (const changes of changesByBranch(events, names)) {
    const snapshot = await deps.store.snapshot({branch: changes.branch});
    const plan = new GenerationPlan();
    await followDefinitions(deps, snapshot, plan, changes.events);
    await followTouched(deps, snapshot, plan, changes);
    tasks += await plan.enqueue(deps.tasks, snapshot, changes.branch);
  }
  return tasks;
}

async function followTouched(
  {schemas}: FollowDeps,
  snapshot: Snapshot,
  plan: GenerationPlan,
  {touched}: BranchChanges,
): Promise<void> {
  if (touched.size === 0) return;
  for (const {definition, target, because} of await affectedArtifacts(
    snapshot,
    schemas.of(snapshot),
    touched,
  )) {
    plan.add(definition, await reasonOf(snapshot, because, touched.get(because)), [target]);
  }
}

async function reasonOf(snapshot: Snapshot, id: NodeId, kind: string | undefined): Promise<string> {
  const node = await snapshot.node(id);
  const name = node?.value('name');
  return `${kind ?? 'Object'} ${typeof name === 'string' ? name : id} changed`;
}
