import type {QueryProblem, RunQuery} from '../../app/query/run-query.ts';
import type {Json} from '../../base/json.ts';
import type {Answerer} from './answerer.ts';
import type {ErrorJson} from './errors.ts';

/** Queries that the service itself runs, answered like those of a request. */
export function queryRunner(answerer: Answerer, newRequestId: () => string): RunQuery {
  return async ({caller, snapshot, document, variables}) => {
    const asked = {query: document, operationName: undefined};
    if (answerer.isMutation(document)) {
      return {is: 'failed', problems: [{message: 'A mutation cannot be run here', isDenied: false}]};
    }
    const {branch} = snapshot;
    const requestId = newRequestId();
    const answer = await answerer.answer({
      ...asked,
      branch,
      at: undefined,
      caller,
      variables,
      requestId,
      snapshot,
    });
    if (answer.errors.length > 0) return {is: 'failed', problems: answer.errors.map(problemOf)};
    return {is: 'answered', data: (JSON.parse(answer.text) as {readonly data: Json}).data};
  };
}

const problemOf = ({message, path, locations, extensions}: ErrorJson): QueryProblem => ({
  message,
  isDenied: extensions.code === 'PERMISSION_DENIED',
  ...(path === undefined ? {} : {path}),
  ...(locations === undefined ? {} : {locations}),
});
