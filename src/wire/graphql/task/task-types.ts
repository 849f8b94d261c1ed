import {
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type {Task, TaskLogLine, TaskNode, TaskState} from '../../../domain/task/task.ts';
import {TASK_STATES} from '../../../domain/task/task.ts';
import {formatInstant} from '../../../domain/time/instant.ts';
import type {TaskLogPage} from '../../../ports/task-queue.ts';
import {DateTimeScalar, GenericScalar} from '../types/scalars.ts';

const text = {type: GraphQLString};
const required = {type: new GraphQLNonNull(GraphQLString)};
const time = {type: DateTimeScalar};
const requiredTime = {type: new GraphQLNonNull(DateTimeScalar)};
const listOf = (type: GraphQLObjectType) => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));

/** A task as one caller sees it. */
export interface ShownTask {
  readonly task: Task;
  readonly relatedNodes: readonly TaskNode[];
  /** What it did is told to who wanted it, and to those who may see all that it concerns. */
  readonly isOpen: boolean;
  readonly logs: () => Promise<TaskLogPage>;
}

export interface TaskListing {
  readonly edges: readonly ShownTask[];
  readonly count: () => Promise<number | undefined>;
}

export const StateType = new GraphQLEnumType({
  name: 'StateType',
  values: {
    ...Object.fromEntries(TASK_STATES.map(state => [state.toUpperCase(), {value: state}])),
    PAUSED: {value: 'paused', deprecationReason: 'No task is ever paused.'},
  },
});

const TaskConclusion = new GraphQLEnumType({
  name: 'TaskConclusion',
  values: {UNKNOWN: {}, FAILURE: {}, SUCCESS: {}},
});

const RelatedNode = new GraphQLObjectType<TaskNode>({
  name: 'TaskRelatedNode',
  fields: {id: required, kind: required},
});

const TaskLog = new GraphQLObjectType<TaskLogLine>({
  name: 'TaskLog',
  fields: {
    id: {...required, resolve: ({task, serial}) => `${task}.${serial}`},
    message: required,
    severity: {...required, description: 'debug, info, warning, error or critical.'},
    timestamp: {...requiredTime, resolve: ({at}) => formatInstant(at)},
    task_id: {...required, resolve: ({task}) => task},
  },
});

const TaskLogEdge = new GraphQLObjectType<TaskLogLine>({
  name: 'TaskLogNodes',
  fields: {node: {type: new GraphQLNonNull(TaskLog), resolve: line => line}},
});

const TaskLogs = new GraphQLObjectType<TaskLogPage>({
  name: 'TaskLogEdge',
  fields: {
    count: {type: new GraphQLNonNull(GraphQLInt)},
    edges: {type: listOf(TaskLogEdge), resolve: ({lines}) => lines},
  },
});

const TaskType = new GraphQLObjectType<ShownTask>({
  name: 'TaskNode',
  fields: {
    id: {...required, resolve: ({task}) => task.id},
    title: {...required, resolve: ({task}) => task.title},
    state: {type: StateType, resolve: ({task}) => task.state},
    conclusion: {
      type: new GraphQLNonNull(TaskConclusion),
      resolve: ({task}) => conclusionOf(task.state),
    },
    workflow: {...text, resolve: ({task}) => task.workflow},
    branch: {...text, resolve: ({task}) => task.branch},
    progress: {
      type: GraphQLFloat,
      description: 'From 0 to 1; null while it has not said.',
      resolve: ({task}) => task.progress,
    },
    tags: {type: new GraphQLList(GraphQLString), resolve: ({task}) => task.tags},
    parameters: {type: GenericScalar, resolve: ({task, isOpen}) => (isOpen ? task.input : null)},
    result: {
      type: GenericScalar,
      description: 'What it came to; null until it is completed.',
      resolve: ({task, isOpen}) => (isOpen ? task.result : null),
    },
    error: {
      ...text,
      description: 'Why it failed, for good or the last time it was tried.',
      resolve: ({task, isOpen}) => (isOpen ? task.problem : null),
    },
    attempts: {
      type: new GraphQLNonNull(GraphQLInt),
      description: 'How often it was begun.',
      resolve: ({task}) => task.attempt,
    },
    account_id: {
      ...text,
      description: 'Who wanted it; null for the service.',
      resolve: ({task}) => task.account,
    },
    created_at: {...requiredTime, resolve: ({task}) => formatInstant(task.createdAt)},
    start_time: {
      ...time,
      resolve: ({task}) => (task.startedAt === undefined ? null : formatInstant(task.startedAt)),
    },
    updated_at: {...requiredTime, resolve: ({task}) => formatInstant(task.updatedAt)},
    related_node: {...text, resolve: ({relatedNodes}) => relatedNodes[0]?.id},
    related_node_kind: {...text, resolve: ({relatedNodes}) => relatedNodes[0]?.kind},
    related_nodes: {type: new GraphQLList(RelatedNode), resolve: ({relatedNodes}) => relatedNodes},
    logs: {type: TaskLogs, resolve: shown => shown.logs()},
  },
});

const TaskEdge = new GraphQLObjectType<ShownTask>({
  name: 'TaskNodes',
  fields: {node: {type: new GraphQLNonNull(TaskType), resolve: shown => shown}},
});

export const Tasks = new GraphQLObjectType<TaskListing>({
  name: 'Tasks',
  fields: {
    count: {type: GraphQLInt, resolve: listing => listing.count()},
    edges: {type: listOf(TaskEdge)},
  },
});

function conclusionOf(state: TaskState): 'SUCCESS' | 'FAILURE' | 'UNKNOWN' {
  if (state === 'completed') return 'SUCCESS';
  return state === 'failed' || state === 'crashed' ? 'FAILURE' : 'UNKNOWN';
}
