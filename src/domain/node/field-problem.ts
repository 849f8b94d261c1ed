import type {ServiceError} from '../errors.ts';
import {constraintViolation, validationError} from '../errors.ts';

/** What is wrong with one field of an object. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

export const mandatoryProblem = (kind: string, field: string): FieldProblem => ({
  field,
  message: `${field} is mandatory for ${kind}`,
});

/** All that is wrong with an object, in one error. */
export const invalidFields = (kind: string, problems: readonly FieldProblem[]): ServiceError =>
  validationError(problemsText(problems), factsOf(kind, problems));

/** A rule between objects that the fields break. */
export const violatedFields = (kind: string, problems: readonly FieldProblem[]): ServiceError =>
  constraintViolation(problemsText(problems), factsOf(kind, problems));

const problemsText = (problems: readonly FieldProblem[]): string =>
  problems.map(({field, message}) => `${message} at ${field}`).join(', ');

const factsOf = (kind: string, problems: readonly FieldProblem[]) => ({
  kind,
  fields: problems.map(({field, message}) => ({field, message})),
});
