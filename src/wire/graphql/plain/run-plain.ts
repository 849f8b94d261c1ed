import {
  type DocumentNode,
  execute,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type {FieldAnswer} from '../answer.ts';
import type {FieldContext} from '../engine.ts';
import type {ValidDocument} from '../plan/documents.ts';
import {plainResolver} from './plain-resolver.ts';

export interface PlainRun {
  readonly schema: GraphQLSchema;
  readonly valid: Pick<ValidDocument, 'fragments'>;
  readonly operation: OperationDefinitionNode;
  /** As the caller sent them. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: FieldContext;
}

/** Runs some of the root fields of an operation with graphql-js. */
export async function runPlain(
  {schema, valid, operation, variables, context}: PlainRun,
  fields: readonly {readonly key: string; readonly nodes: readonly FieldNode[]}[],
): Promise<readonly FieldAnswer[]> {
  const selections = fields.flatMap(field => field.nodes);
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      {...operation, selectionSet: {kind: Kind.SELECTION_SET, selections}},
      ...valid.fragments.values(),
    ],
  };
  const {data, errors = []} = await execute({
    schema,
    document,
    contextValue: context,
    variableValues: variables,
    fieldResolver: plainResolver as never,
  });
  return fields.map(({key}) => ({
    key,
    text: JSON.stringify(data?.[key] ?? null),
    errors: errors.filter(error => error.path?.[0] === key),
  }));
}
