import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import {cancelTask} from '../../../app/task/cancel-task.ts';
import type {BranchName} from '../../../domain/branch/branch.ts';
import {validationError} from '../../../domain/errors.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {Task, TaskId, TaskState} from '../../../domain/task/task.ts';
import type {TaskLogPage, TaskQuery} from '../../../ports/task-queue.ts';
import {TaskInfo} from '../branch/branch-mutations.ts';
import type {FieldContext} from '../engine.ts';
import type {RootFieldsMaker} from '../types/root-fields.ts';
import {type ShownTask, StateType, type TaskListing, Tasks} from './task-types.ts';

type Fields = GraphQLFieldConfigMap<unknown, FieldContext>;

const text = {type: GraphQLString};
const texts = {type: new GraphQLList(GraphQLString)};
const whole = (defaultValue?: number) => ({
  type: GraphQLInt,
  ...(defaultValue === undefined ? {} : {defaultValue}),
});

const ROWS = 10;
const LOG_ROWS = 100;
const UNFINISHED: readonly TaskState[] = ['scheduled', 'pending', 'running', 'cancelling'];

interface Given {
  readonly ids?: readonly (string | null)[] | null;
  readonly branch?: string | null;
  readonly state?: readonly (TaskState | null)[] | null;
  readonly workflow?: readonly (string | null)[] | null;
  readonly related_node__ids?: readonly (string | null)[] | null;
  readonly q?: string | null;
  readonly limit?: number | null;
  readonly offset?: number | null;
  readonly log_limit?: number | null;
  readonly log_offset?: number | null;
}

/** Nulls in a list say nothing; an absent list is no filter. */
const listed = <T>(list: readonly (T | null)[] | null | undefined): readonly T[] | undefined =>
  list?.filter(item => item !== null) as readonly T[] | undefined;

function bounded(name: string, given: number | null | undefined, usual: number, max: number): number {
  const rows = given ?? usual;
  if (rows < 0 || rows > max) throw validationError(`${name} is from 0 to ${max}, ${rows} is not`);
  return rows;
}

function queryOf(given: Given, rowsMax: number): Omit<TaskQuery, 'isCounted'> {
  const ids = listed(given.ids) as readonly TaskId[] | undefined;
  const states = listed(given.state);
  const workflows = listed(given.workflow);
  const relatedNodes = listed(given.related_node__ids) as readonly NodeId[] | undefined;
  return {
    limit: bounded('limit', given.limit, ROWS, rowsMax),
    offset: bounded('offset', given.offset, 0, Number.MAX_SAFE_INTEGER),
    ...(ids === undefined ? {} : {ids}),
    ...(given.branch ? {branch: given.branch as BranchName} : {}),
    ...(states === undefined ? {} : {states}),
    ...(workflows === undefined ? {} : {workflows}),
    ...(relatedNodes === undefined ? {} : {relatedNodes}),
    ...(given.q ? {text: given.q} : {}),
  };
}

const NO_LOGS: TaskLogPage = {lines: [], count: 0};

/** Counts and logs are read for those who ask for them. */
async function answer(
  query: Omit<TaskQuery, 'isCounted'>,
  given: Given,
  {services, view, caller}: FieldContext,
): Promise<TaskListing> {
  const {tasks: queue, limits} = services;
  const page = {
    limit: bounded('log_limit', given.log_limit, LOG_ROWS, limits.pageRowsMax),
    offset: bounded('log_offset', given.log_offset, 0, Number.MAX_SAFE_INTEGER),
  };
  const {tasks} = await queue.tasks({...query, isCounted: false});
  const shown = (task: Task): ShownTask => {
    const relatedNodes = task.relatedNodes.filter(({kind}) => view.isWhole || view.shows(kind));
    const isOwn = caller.account !== null && task.account === caller.account;
    const showsAll = relatedNodes.length > 0 && relatedNodes.length === task.relatedNodes.length;
    const isOpen = view.isWhole || isOwn || showsAll;
    const logs = async () => (isOpen ? ((await queue.logs([task.id], page))[0] ?? NO_LOGS) : NO_LOGS);
    return {task, isOpen, relatedNodes, logs};
  };
  return {
    edges: tasks.map(shown),
    count: async () => (await queue.tasks({...query, limit: 0, isCounted: true})).count,
  };
}

const Cancelled = new GraphQLObjectType({
  name: 'ServiceTaskCancel',
  fields: {ok: {type: GraphQLBoolean}, task: {type: TaskInfo}},
});

const CancelInput = new GraphQLInputObjectType({
  name: 'ServiceTaskCancelInput',
  fields: {id: {type: new GraphQLNonNull(GraphQLString)}},
});

/** Root fields about work in the background. `dataChanging` names the workflows that change data of their branch. */
export function taskFields(dataChanging: readonly string[]): RootFieldsMaker {
  const query: Fields = {
    ServiceTask: {
      type: new GraphQLNonNull(Tasks),
      description: 'Work in the background, newest first.',
      args: {
        ids: texts,
        branch: text,
        state: {type: new GraphQLList(StateType)},
        workflow: texts,
        related_node__ids: texts,
        q: {...text, description: 'Found in the title, whatever the case.'},
        limit: whole(ROWS),
        offset: whole(0),
        log_limit: whole(),
        log_offset: whole(),
      },
      resolve: (_source, given: Given, context) =>
        answer(queryOf(given, context.services.limits.pageRowsMax), given, context),
    },
    ServiceTaskBranchStatus: {
      type: new GraphQLNonNull(Tasks),
      description: 'Work that waits or runs and changes data of a branch.',
      args: {branch: text},
      resolve: (_source, {branch}: {branch?: string | null}, context) => {
        const name = (branch || context.branch) as BranchName;
        const limit = context.services.limits.pageRowsMax;
        const query = {branch: name, states: UNFINISHED, workflows: dataChanging, limit, offset: 0};
        return answer(query, {}, context);
      },
    },
  };
  const mutation: Fields = {
    ServiceTaskCancel: {
      type: Cancelled,
      description: 'Ends a task that waits or runs; one that is over stays as it is.',
      args: {data: {type: new GraphQLNonNull(CancelInput)}},
      async resolve(_source, {data}: {data: {readonly id: string}}, {services, caller}) {
        const task = await cancelTask(services, caller, data.id as TaskId);
        return {ok: task.state === 'cancelled' || task.state === 'cancelling', task: {id: task.id}};
      },
    },
  };
  return () => ({query, mutation});
}
