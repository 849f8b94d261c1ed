import type {Json} from '../../base/json.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {TransformFailure} from '../../ports/transform-runner.ts';
import {type ReadSet, RecordedSnapshot} from '../query/recorded-snapshot.ts';
import {SERVICE} from '../service-caller.ts';
import {runTransform, type TransformDeps, type TransformOutcome} from '../transform/run-transform.ts';
import type {Definition} from './definition.ts';
import {parametersFor} from './parameters.ts';

/** What became of one artifact: its content, or why there is none; either way, what it was made from. */
export type MadeContent = {
  readonly variables: Readonly<Record<string, Json>>;
  readonly read: ReadSet;
} & ({readonly is: 'content'; readonly text: string} | {readonly is: 'failed'; readonly problem: string});

const NOTHING: ReadSet = {nodes: new Set(), kinds: new Set()};

/** Makes the content of an artifact for one object, from one state of the branch. */
export async function makeContent(
  deps: TransformDeps,
  snapshot: Snapshot,
  schema: Schema,
  definition: Definition,
  target: NodeRecord,
): Promise<MadeContent> {
  let variables: Readonly<Record<string, Json>> = {};
  let recorded: RecordedSnapshot | undefined;
  try {
    variables = await parametersFor(snapshot, schema, target, definition.parameters);
    const given = variables;
    recorded = new RecordedSnapshot(snapshot, schema);
    const reading = recorded;
    const outcome = await runTransform(
      {...deps, runQuery: request => deps.runQuery({...request, snapshot: reading})},
      {caller: SERVICE, snapshot, transform: definition.transform, variablesOf: () => given},
    );
    const read = withTarget(recorded.read, target);
    return {variables, read, ...contentOf(outcome)};
  } catch (error) {
    if (!(error instanceof TransformFailure) && !isOfTheData(error)) throw error;
    const read = withTarget(recorded?.read ?? NOTHING, target);
    return {variables, read, is: 'failed', problem: error.message};
  }
}

/** Its values are the parameters, so it was read as well. */
const withTarget = ({nodes, kinds}: ReadSet, {id}: NodeRecord): ReadSet => ({
  nodes: new Set([...nodes, id]),
  kinds,
});

const isOfTheData = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code !== 'UNAVAILABLE';

function contentOf(
  outcome: TransformOutcome,
): {readonly is: 'content'; readonly text: string} | {readonly is: 'failed'; readonly problem: string} {
  switch (outcome.is) {
    case 'text':
      return {is: 'content', text: outcome.text};
    case 'json': {
      const {value} = outcome;
      return {is: 'content', text: typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)};
    }
    case 'no-commit':
      return {is: 'failed', problem: 'The repository of the transform was not imported yet'};
    case 'missing':
    case 'outside':
      return {is: 'failed', problem: `${outcome.place} is not in the repository`};
    case 'query-failed': {
      const messages = outcome.problems.map(({message}) => message).join('; ');
      return {is: 'failed', problem: `The query ${outcome.query} failed: ${messages}`};
    }
  }
}
