import type {Json} from '../../base/json.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {validationError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {NewTask} from '../../domain/task/task.ts';
import type {Caller} from '../caller.ts';
import {taskOf, type Workflow} from '../task/workflow.ts';
import type {CreateBranch} from './create-branch.ts';

/** Who wanted it: the account it is recorded for, and the one whose rights it is done with. */
interface Wanted {
  readonly author: NodeId | null;
  readonly rightsOf: NodeId | null;
}

export type BranchTask = Wanted & {readonly branch: BranchName; readonly message: string | null};
export type CreateBranchTask = Wanted & {readonly request: CreateBranch};

const SECONDS_MAX = 3600;

function read<Input>(input: Json): Input {
  const isObject = typeof input === 'object' && input !== null && 'rightsOf' in input;
  if (!isObject) throw validationError('The input of the task is not that of a branch task');
  return input as unknown as Input;
}

const branchWorkflow = (name: string, more: Partial<Workflow<BranchTask>> = {}): Workflow<BranchTask> => ({
  name,
  read,
  secondsMax: SECONDS_MAX,
  ...more,
});

export const BRANCH_CREATE: Workflow<CreateBranchTask> = {
  name: 'branch-create',
  read,
  secondsMax: SECONDS_MAX,
};
export const BRANCH_DELETE = branchWorkflow('branch-delete', {changesData: true});
export const BRANCH_MERGE = branchWorkflow('branch-merge', {changesData: true});
export const BRANCH_REBASE = branchWorkflow('branch-rebase', {changesData: true});
export const BRANCH_VALIDATE = branchWorkflow('branch-validate');
export const DIFF_UPDATE = branchWorkflow('diff-update');

export const BRANCH_WORKFLOWS: readonly Workflow<unknown>[] = [
  BRANCH_CREATE,
  BRANCH_DELETE,
  BRANCH_MERGE,
  BRANCH_REBASE,
  BRANCH_VALIDATE,
  DIFF_UPDATE,
];

const TITLES: Readonly<Record<string, string>> = {
  [BRANCH_DELETE.name]: 'Delete branch',
  [BRANCH_MERGE.name]: 'Merge branch',
  [BRANCH_REBASE.name]: 'Rebase branch',
  [BRANCH_VALIDATE.name]: 'Validate branch',
  [DIFF_UPDATE.name]: 'Update the diff of branch',
};

export interface WantedBy {
  /** Whose rights it is done with. */
  readonly caller: Caller;
  /** For whom it is recorded, when the caller acts for another. */
  readonly acting: Caller;
}

const wanted = ({caller, acting}: WantedBy): Wanted => ({
  author: acting.account,
  rightsOf: caller.account,
});

/** The task that does to a branch what the mutation would have done at once. */
export function branchTask(
  workflow: Workflow<BranchTask>,
  by: WantedBy,
  branch: BranchName,
  message: string | undefined,
): NewTask {
  return taskOf(
    workflow,
    {...wanted(by), branch, message: message ?? null},
    {title: `${TITLES[workflow.name]} ${branch}`, branch, account: by.acting.account, priority: 'high'},
  );
}

export function createBranchTask(by: WantedBy, request: CreateBranch): NewTask {
  const input: CreateBranchTask = {...wanted(by), request};
  return taskOf(BRANCH_CREATE, input, {
    title: `Create branch ${request.name}`,
    branch: request.name as BranchName,
    account: by.acting.account,
    priority: 'high',
  });
}
