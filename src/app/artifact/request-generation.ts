import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {TaskId} from '../../domain/task/task.ts';
import {authorize, type Caller} from '../caller.ts';
import {requireNode} from '../node/find-node.ts';
import type {Services} from '../services.ts';
import {generateTask} from './artifact-workflows.ts';
import {ARTIFACT, artifactsOf, DEFINITION} from './definition.ts';

export interface GenerationRequest {
  readonly branch: BranchName;
  /** Its id or its name. */
  readonly definition: string;
  /** Only these artifacts, or the artifacts of these objects; all when absent. */
  readonly nodes?: readonly string[];
}

type Deps = Pick<Services, 'store' | 'schemas' | 'tasks'>;

/** Queues the making of artifacts that somebody asked for. */
export async function requestGeneration(
  deps: Deps,
  caller: Caller,
  {branch, definition: text, nodes}: GenerationRequest,
): Promise<TaskId> {
  const onDefaultBranch = branch === deps.store.defaultBranch;
  for (const action of ['create', 'update'] as const) {
    authorize(caller, {is: 'object', action, kind: ARTIFACT, onDefaultBranch});
  }
  const snapshot = await deps.store.snapshot({branch});
  const definition = await requireNode(snapshot, deps.schemas.of(snapshot), DEFINITION, {id: text});
  const targets = nodes === undefined ? null : targetsOf(nodes, await artifactsOf(snapshot, definition.id));
  const task = {branch, definition: definition.id, targets, reason: 'Somebody asked for it'};
  return deps.tasks.enqueue(generateTask(task, String(definition.value('name')), {account: caller.account}));
}

/** An id stands for an artifact when there is one of it, else for an object. */
function targetsOf(
  nodes: readonly string[],
  artifacts: Awaited<ReturnType<typeof artifactsOf>>,
): readonly NodeId[] {
  const byArtifact = new Map([...artifacts].map(([target, {id}]) => [id, target]));
  return nodes.map(node => {
    const id = node.toLowerCase() as NodeId;
    return byArtifact.get(id) ?? id;
  });
}
