import type {
  FieldNode,
  GraphQLError,
  GraphQLField,
  GraphQLObjectType,
  OperationDefinitionNode,
} from 'graphql';
import {must} from '../../../base/assert.ts';
import type {Awaitable} from '../../../base/awaitable.ts';
import {ownView} from '../access.ts';
import type {FieldContext} from '../engine.ts';
import {meaningOf} from '../meaning.ts';
import {collectFields, fieldOf, type Reading} from './document.ts';
import {ListPlan} from './list-plan.ts';
import type {ListContext, Variables} from './list-request.ts';
import {ObjectPlan} from './object-plan.ts';

/** One root field of an operation: compiled, or left to its resolver. */
export interface RootField {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  readonly field: GraphQLField<unknown, unknown>;
  readonly run: ((context: FieldContext, variables: Variables) => Awaitable<string>) | undefined;
  /** What `run` left out because the caller may not see it. */
  readonly hidden?: (context: FieldContext) => readonly GraphQLError[];
}

export function rootFields(
  reading: Reading,
  type: GraphQLObjectType,
  operation: OperationDefinitionNode,
): readonly Omit<RootField, 'run'>[] {
  const fields: Omit<RootField, 'run'>[] = [];
  for (const [key, nodes] of collectFields(reading, type, [operation.selectionSet])) {
    const field = must(fieldOf(reading.schema, type, nodes[0]!.name.value), `the root field ${key}`);
    fields.push({key, nodes, field});
  }
  return fields;
}

/** The root fields of a query, each with its plan. */
export function planQuery(
  reading: Reading,
  context: ListContext,
  operation: OperationDefinitionNode,
): readonly RootField[] {
  const type = must(reading.schema.getQueryType(), 'the query type');
  return rootFields(reading, type, operation).map(root => ({
    ...root,
    ...runnerOf(reading, context, type, root),
  }));
}

const withOwnAccount = (context: FieldContext): FieldContext => ({
  ...context,
  view: ownView(context.view, context.schema),
});

function runnerOf(
  reading: Reading,
  context: ListContext,
  type: GraphQLObjectType,
  {key, field, nodes}: Omit<RootField, 'run'>,
): Pick<RootField, 'run' | 'hidden'> {
  if (field.name === '__typename') return {run: () => JSON.stringify(type.name)};
  const meaning = meaningOf(field);
  if (meaning?.is === 'list') {
    const plan = new ListPlan(reading, context, meaning.kind, field, nodes);
    return {run: (at, variables) => plan.run(at, variables), hidden: at => plan.hidden(at, key)};
  }
  if (meaning?.is === 'caller') {
    const plan = new ObjectPlan(reading, context, 'CoreGenericAccount', field.type, nodes);
    return {
      async run(at, variables) {
        const {account} = at.caller;
        if (account === null) return 'null';
        return (await plan.run(withOwnAccount(at), [account], variables))[0] ?? 'null';
      },
      hidden: at => plan.hidden(withOwnAccount(at), [key]),
    };
  }
  return {run: undefined};
}
