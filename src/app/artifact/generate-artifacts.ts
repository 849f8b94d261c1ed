import type {Json} from '../../base/json.ts';
import {Slots} from '../../base/slots.ts';
import {validationError} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {isKindOf} from '../../domain/schema/lookup.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {followAgainTask} from '../follow/follow-workflow.ts';
import {deleteNode} from '../node/delete-node.ts';
import {SERVICE} from '../service-caller.ts';
import type {Services} from '../services.ts';
import type {Storage} from '../storage/upload-object.ts';
import type {TaskRun} from '../task/workflow.ts';
import type {TransformDeps} from '../transform/run-transform.ts';
import {type WriteScope, writing} from '../write.ts';
import {type GenerateTask, generateTask} from './artifact-workflows.ts';
import {ARTIFACT, artifactsOf, type Definition, readDefinition} from './definition.ts';
import {type MadeContent, makeContent} from './make-content.ts';
import {type MadeArtifact, storeContent, writeArtifact} from './store-artifacts.ts';

export type ArtifactDeps = Pick<Services, 'store' | 'schemas' | 'ids' | 'tasks'> &
  TransformDeps & {readonly storage: Storage};

/** Artifacts of one commit; more of them are several, so that others get a turn. */
const BATCH = 50;
const TOGETHER_MAX = 8;
const TARGET = 'CoreArtifactTarget';
const WAIT_MICROS = 500_000;
const WAITS_MAX = 1200;
const NOTHING_MADE = {made: 0, stored: 0, failed: 0};

/** Makes the artifacts of a definition on a branch, from the state that the branch has when it begins. */
export async function generateArtifacts(deps: ArtifactDeps, task: GenerateTask, run: TaskRun): Promise<Json> {
  const branches = await deps.store.branches();
  if (!branches.some(({name}) => name === task.branch)) return NOTHING_MADE;
  const snapshot = await deps.store.snapshot({branch: task.branch});
  if ((await snapshot.node(task.definition)) === undefined) return NOTHING_MADE;
  const definition = await readDefinition(snapshot, task.definition);
  if (await isPutOff(deps, task, definition)) return {...NOTHING_MADE, isPutOff: true};
  const existing = await artifactsOf(snapshot, definition.id);
  await removeLeftovers(deps, task, definition, existing);
  const targets = await targetsOf(deps, snapshot, definition, task.targets);
  const counts = {...NOTHING_MADE};
  const slots = new Slots(TOGETHER_MAX);
  for (let from = 0; from < targets.length; from += BATCH) {
    run.signal.throwIfAborted();
    const batch = targets.slice(from, from + BATCH);
    const made = await Promise.all(
      batch.map(target => slots.run(() => make(deps, snapshot, definition, target, existing.get(target.id)))),
    );
    await write(deps, task, `artifacts of ${definition.name}`, async scope => {
      for (const each of made) await writeArtifact(scope, definition, each, task.reason);
    });
    for (const {made: content, target, stored} of made) {
      counts.made += 1;
      if (stored !== undefined) counts.stored += 1;
      if (content.is !== 'failed') continue;
      counts.failed += 1;
      run.log('error', `${target.kind} ${target.id}: ${content.problem}`);
    }
    run.progress((from + batch.length) / targets.length);
  }
  // What was read is known only now, so what happened to it while the artifacts were made is looked at again.
  if (counts.made > 0) await deps.tasks.enqueue(followAgainTask(snapshot.at));
  return counts;
}

/** While its repository is being imported, what a definition is made with may not fit together yet. */
async function isPutOff(
  {tasks}: ArtifactDeps,
  task: GenerateTask,
  {repository, name}: Definition,
): Promise<boolean> {
  const waits = task.waits ?? 0;
  if (repository.value('sync_status') !== 'syncing' || waits === WAITS_MAX) return false;
  const dueAt = (tasks.now() + WAIT_MICROS) as Instant;
  await tasks.enqueue(generateTask({...task, waits: waits + 1}, name, {dueAt}));
  return true;
}

async function make(
  deps: ArtifactDeps,
  snapshot: Snapshot,
  definition: Definition,
  target: NodeRecord,
  existing: NodeRecord | undefined,
): Promise<MadeArtifact> {
  const content = await makeContent(deps, snapshot, deps.schemas.of(snapshot), definition, target);
  const made = withinSize(content, deps.storage.fileBytesMax);
  return {target, existing, made, stored: await storeContent(deps.storage, existing, made)};
}

function withinSize(made: MadeContent, bytesMax: number): MadeContent {
  if (made.is === 'failed' || Buffer.byteLength(made.text) <= bytesMax) return made;
  const {variables, read} = made;
  return {variables, read, is: 'failed', problem: `Its content has more than ${bytesMax} bytes`};
}

/** The members of the group, or those of them that are wanted. */
async function targetsOf(
  {schemas}: ArtifactDeps,
  snapshot: Snapshot,
  {targets, name}: Definition,
  wanted: readonly NodeId[] | null,
): Promise<readonly NodeRecord[]> {
  const only = wanted === null ? undefined : new Set(wanted);
  const ids = targets.filter(({id}) => only?.has(id) ?? true);
  const schema = schemas.of(snapshot);
  const odd = ids.find(({kind}) => !isKindOf(schema, kind, TARGET));
  if (odd !== undefined) {
    throw validationError(
      `Artifacts of ${name} cannot be made for ${odd.kind}: add ${TARGET} to what the kind inherits from`,
    );
  }
  const nodes = await snapshot.nodes(ids.map(({id}) => id));
  return nodes.filter(node => node !== undefined);
}

/** Artifacts of objects that are no longer in the group go. */
async function removeLeftovers(
  deps: ArtifactDeps,
  task: GenerateTask,
  {targets, name}: Definition,
  existing: ReadonlyMap<NodeId, NodeRecord>,
): Promise<void> {
  const members = new Set(targets.map(({id}) => id));
  const leftovers = [...existing].filter(([target]) => !members.has(target));
  if (leftovers.length === 0) return;
  await write(deps, task, `artifacts of ${name} that are no longer wanted`, async scope => {
    for (const [, {id}] of leftovers) {
      if ((await scope.draft.node(id)) !== undefined) await deleteNode(scope, ARTIFACT, {id});
    }
  });
}

const write = (
  deps: ArtifactDeps,
  {branch}: GenerateTask,
  message: string,
  body: (scope: WriteScope) => Promise<void>,
) => writing(deps, SERVICE, {branch, message}, body);
