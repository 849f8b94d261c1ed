import type {Json} from '../../base/json.ts';
import {isJsonObject} from '../../base/json.ts';
import {ServiceError, validationError} from '../../domain/errors.ts';
import type {DocumentProblem, SchemaProblem} from '../../domain/schema/problem.ts';

const PROBLEMS_IN_MESSAGE_MAX = 20;

/** Everything that is wrong with a schema, each with its place in the request. */
export function schemaInvalid(problems: readonly DocumentProblem[]): ServiceError {
  const messages = problems.slice(0, PROBLEMS_IN_MESSAGE_MAX).map(({message}) => message);
  const more = problems.length - messages.length;
  if (more > 0) messages.push(`and ${more} more problems`);
  return validationError(messages.join(', '), {problems: problems as unknown as Json});
}

/** The problems that such an error carries; undefined for any other. */
export function problemsIn(error: unknown): readonly DocumentProblem[] | undefined {
  if (!(error instanceof ServiceError) || !Array.isArray(error.facts.problems)) return undefined;
  const problems = error.facts.problems as readonly Json[];
  return problems.every(isJsonObject) ? (problems as unknown as readonly DocumentProblem[]) : undefined;
}

/** Problems that no place in a request can be given for: their path says what they are about. */
export const unplaced = (problems: readonly SchemaProblem[]): readonly DocumentProblem[] =>
  problems.map(({path, message}) => ({loc: [path], message, type: 'value_error'}));
