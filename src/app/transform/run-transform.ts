import type {Json} from '../../base/json.ts';
import {validationError} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {pathInRepository} from '../../domain/repository/file-path.ts';
import type {GitHost} from '../../ports/git-host.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {TransformFailure, type TransformRunner} from '../../ports/transform-runner.ts';
import type {Caller} from '../caller.ts';
import type {QueryProblem, RunQuery} from '../query/run-query.ts';
import {trackedCommit} from '../repository/find-repository.ts';

export interface TransformDeps {
  readonly git: GitHost;
  readonly transforms: TransformRunner;
  readonly runQuery: RunQuery;
}

export interface TransformRequest {
  readonly caller: Caller;
  readonly snapshot: Snapshot;
  /** A `CoreTransformJinja2` or `CoreTransformPython`. */
  readonly transform: NodeRecord;
  /** The variables, once the text of the query is known. */
  readonly variablesOf: (document: string) => Readonly<Record<string, Json>>;
}

export type TransformOutcome =
  | {readonly is: 'text'; readonly text: string}
  | {readonly is: 'json'; readonly value: Json}
  | {readonly is: 'no-commit'}
  | {readonly is: 'query-failed'; readonly query: string; readonly problems: readonly QueryProblem[]}
  | {readonly is: 'outside' | 'missing'; readonly place: string};

const SECONDS_USUAL = 10;
const SECONDS_MAX = 3600;

/** Runs the query of a transform and then the transform, at the commit that the branch has of its repository. */
export async function runTransform(
  deps: TransformDeps,
  request: TransformRequest,
): Promise<TransformOutcome> {
  const {caller, snapshot, transform, variablesOf} = request;
  const [query, repository] = await Promise.all([
    peerOf(snapshot, transform, 'query'),
    peerOf(snapshot, transform, 'repository'),
  ]);
  const commit = trackedCommit(repository);
  if (commit === undefined) return {is: 'no-commit'};
  const document = String(query.value('query'));
  const variables = variablesOf(document);
  const answer = await deps.runQuery({caller, snapshot, document, variables});
  if (answer.is === 'failed') {
    return {is: 'query-failed', query: String(query.value('name')), problems: answer.problems};
  }
  const isPython = transform.kind === 'CoreTransformPython';
  const given = String(transform.value(isPython ? 'file_path' : 'template_path'));
  const path = pathInRepository(given);
  const place = `${repository.id}::${commit}::${given}`;
  if (path === undefined) return {is: 'outside', place};
  const millisMax = secondsOf(transform) * 1000;
  const made = deps.git.inFolder(repository.id, commit, async (folder): Promise<TransformOutcome> => {
    if (!isPython) {
      const variablesOfTemplate = {data: answer.data};
      const text = await deps.transforms.render({folder, path, variables: variablesOfTemplate, millisMax});
      return {is: 'text', text};
    }
    const className = String(transform.value('class_name'));
    const code = {folder, path, className, data: answer.data, branch: snapshot.branch, millisMax};
    return {is: 'json', value: await deps.transforms.transform(code)};
  });
  return made.catch((error: unknown) => {
    if (error instanceof TransformFailure && error.reason === 'missing') return {is: 'missing', place};
    throw error;
  });
}

function secondsOf(transform: NodeRecord): number {
  const seconds = transform.value('timeout');
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, SECONDS_MAX) : SECONDS_USUAL;
}

async function peerOf(snapshot: Snapshot, transform: NodeRecord, relationship: string): Promise<NodeRecord> {
  const [neighbour] = await snapshot.neighbours(transform.id, relationship);
  const peer = neighbour === undefined ? undefined : await snapshot.node(neighbour.id);
  if (peer === undefined) {
    throw validationError(`The transform ${String(transform.value('name'))} has no ${relationship}`);
  }
  return peer;
}
