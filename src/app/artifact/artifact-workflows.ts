import {isJsonObject, type Json} from '../../base/json.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {validationError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {NewTask} from '../../domain/task/task.ts';
import {taskOf, type Workflow} from '../task/workflow.ts';

export interface GenerateTask {
  readonly branch: BranchName;
  readonly definition: NodeId;
  /** Objects to make artifacts for; null for every member of the group of targets. */
  readonly targets: readonly NodeId[] | null;
  /** Why, for people. */
  readonly reason: string;
  /** How often it was put off. */
  readonly waits?: number;
}

const SECONDS_MAX = 7200;

function read(input: Json): GenerateTask {
  if (!isJsonObject(input) || typeof input.definition !== 'string' || typeof input.branch !== 'string') {
    throw validationError('The input of the task names no artifact definition');
  }
  return input as unknown as GenerateTask;
}

/** Makes the artifacts of a definition on a branch. */
export const ARTIFACT_GENERATE: Workflow<GenerateTask> = {
  name: 'artifact-generate',
  read,
  secondsMax: SECONDS_MAX,
  attemptsMax: 3,
};

export function generateTask(
  task: GenerateTask,
  name: string,
  more: Pick<NewTask, 'account' | 'dueAt'> = {},
): NewTask {
  const count = task.targets === null ? '' : ` for ${task.targets.length} objects`;
  return taskOf(
    ARTIFACT_GENERATE,
    {...task, targets: task.targets === null ? null : [...task.targets]},
    {
      title: `Generate the artifacts of ${name}${count}`,
      branch: task.branch,
      // All of them, as things are when it starts: once is enough.
      ...(task.targets === null
        ? {key: {text: `artifacts ${task.branch} ${task.definition}`, held: 'until-start'} as const}
        : {}),
      ...more,
      relatedNodes: [{id: task.definition, kind: 'CoreArtifactDefinition'}],
    },
  );
}
