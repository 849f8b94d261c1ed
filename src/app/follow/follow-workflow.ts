import {isJsonObject} from '../../base/json.ts';
import {validationError} from '../../domain/errors.ts';
import type {NewTask} from '../../domain/task/task.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {taskOf, type Workflow} from '../task/workflow.ts';

export interface FollowTask {
  /** Everything that was committed after this instant is looked at. */
  readonly after: Instant;
  /** Also what was looked at before. */
  readonly isAgain: boolean;
}

const SECONDS_MAX = 3600;
/** Commits that come close together are looked at together, so that writers pay for one look and not for each. */
const GATHER_MICROS = 150_000;

/** Looks at what has been committed, and queues what follows from it for repositories and artifacts. */
export const FOLLOW: Workflow<FollowTask> = {
  name: 'content-follow',
  read(input) {
    if (!isJsonObject(input) || typeof input.after !== 'number') {
      throw validationError('The input of the task names no instant');
    }
    return {after: input.after as Instant, isAgain: input.isAgain === true};
  },
  secondsMax: SECONDS_MAX,
  parallelMax: 1,
  isFleeting: true,
};

/** The task that looks at a commit; one that waits already looks at it too. */
export const followTask = (commit: Instant): NewTask =>
  taskOf(
    FOLLOW,
    {after: (commit - 1) as Instant, isAgain: false},
    {
      title: 'Follow what was committed',
      key: {text: FOLLOW.name, held: 'until-start'},
      dueAt: (commit + GATHER_MICROS) as Instant,
    },
  );

/** The task that looks again at everything after an instant, for who did not know enough to look at it before. */
export const followAgainTask = (after: Instant): NewTask =>
  taskOf(FOLLOW, {after, isAgain: true}, {title: 'Follow what was committed meanwhile'});
