import {Type} from 'typebox';
import type {Services} from '../../app/services.ts';
import {parseAt} from '../../domain/time/instant.ts';
import {HttpProblem} from '../http/problem.ts';
import {restReadPointOf} from '../read-point.ts';
import {type AnyRoute, route} from './route.ts';
import type {CallerOf} from './schema-routes.ts';

const TIME = 'ISO 8601 with an offset or Z, -<n>s|m|h|d, or now';

type Deps = Pick<Services, 'store'>;

/** What differs between branches beside the graph: files of repositories, and artifacts. */
export function diffRoutes(deps: Deps, callerOf: CallerOf): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/api/diff/files',
      summary: 'Files of repositories that changed on a branch, by branch and repository',
      query: {
        time_from: Type.Optional(
          Type.String({
            description: `${TIME}; the making of the branch when absent, needed on the default branch.`,
          }),
        ),
        time_to: Type.Optional(Type.String({description: `${TIME}; now when absent.`})),
        branch_only: Type.Optional(
          Type.Boolean({description: 'False: what changed on its origin meanwhile too. True when absent.'}),
        ),
      },
      async handle({query, http}) {
        await callerOf({http});
        await stretchOf(deps, query);
        return {};
      },
    }),
    route({
      method: 'GET',
      path: '/api/diff/artifacts',
      summary: 'Artifacts of a branch that differ from those of the default branch, by artifact',
      async handle({query, http}) {
        await callerOf({http});
        await restReadPointOf(deps.store, query);
        return {};
      },
    }),
  ];
}

interface GivenStretch {
  readonly branch?: string;
  readonly at?: string;
  readonly time_from?: string;
  readonly time_to?: string;
}

/** Refuses times that are none, and a stretch that ends before it begins. */
async function stretchOf({store}: Deps, {branch, at, time_from, time_to}: GivenStretch): Promise<void> {
  const point = await restReadPointOf(store, {branch, at});
  const {createdAt, isDefault} = await store.branch(point.branch);
  if (isDefault && !time_from) {
    throw new HttpProblem(400, `time_from is mandatory on the default branch ${point.branch}`);
  }
  const now = store.now();
  const from = time_from ? (instant(store, time_from) ?? now) : createdAt;
  const to = time_to ? (instant(store, time_to) ?? now) : now;
  if (to < from) throw new HttpProblem(400, 'time_to lies before time_from');
}

function instant(store: Deps['store'], text: string) {
  try {
    return parseAt(text, store.now(), store.oldest);
  } catch (error) {
    throw new HttpProblem(400, (error as Error).message, {cause: error});
  }
}
