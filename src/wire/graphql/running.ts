import {type FieldNode, locatedError, type OperationDefinitionNode} from 'graphql';
import type {FieldAnswer} from './answer.ts';
import type {FieldContext} from './engine.ts';
import type {PlainRun} from './plain/run-plain.ts';
import type {Reading} from './plan/document.ts';
import type {ValidDocument, ValidOperation} from './plan/documents.ts';
import type {BranchGraphql} from './types/branch-graphql.ts';
import type {GraphqlWatch} from './watch.ts';

/** An operation that is about to run. */
export interface Running {
  readonly face: BranchGraphql;
  readonly valid: ValidDocument;
  /** What is kept of the operation from one run to the next. */
  readonly kept: ValidOperation;
  readonly operation: OperationDefinitionNode;
  readonly reading: Reading;
  /** The variables as the caller sent them. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly context: FieldContext;
  readonly watch: GraphqlWatch;
}

export const plainRun = ({face, valid, operation, given, context}: Running): PlainRun => ({
  schema: face.graphql,
  valid,
  operation,
  variables: given,
  context,
});

export const failed = (key: string, nodes: readonly FieldNode[], error: unknown): FieldAnswer => ({
  key,
  text: 'null',
  errors: [locatedError(error, nodes, [key])],
});
