import {
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import type {AnalyseQuery, QueryFacts, QueryVariable} from '../../app/query/analyse-query.ts';
import type {Json} from '../../base/json.ts';
import {implementations} from '../../domain/schema/lookup.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import {RequestRefused} from './errors.ts';
import type {Documents, ValidDocument} from './plan/documents.ts';
import {measureOperation} from './plan/operation-measure.ts';
import type {BranchGraphql} from './types/branch-graphql.ts';

/** Reads queries that are to be stored, by the rules that hold when they run. */
export function queryAnalyser(documents: Documents, faceOf: (schema: Schema) => BranchGraphql): AnalyseQuery {
  return (schema, text) => {
    try {
      return {is: 'valid', facts: factsOf(documents.valid(faceOf(schema), text), schema)};
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      return {is: 'invalid', problems: error.errors.map(place)};
    }
  };
}

/** The message with the place in the text, for whoever has the text before them. */
function place({message, locations}: GraphQLError): string {
  const [at] = locations ?? [];
  return at === undefined ? message : `${message} (line ${at.line}, column ${at.column})`;
}

function factsOf({face, document, fragments}: ValidDocument, schema: Schema): QueryFacts {
  const operations = document.definitions.filter(
    (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
  );
  if (operations.length === 0) throw new RequestRefused([new GraphQLError('The query has no operation')]);
  const measures = operations.map(operation => measureOperation(face, operation, fragments));
  const kinds = new Set(measures.flatMap(({kinds: named}) => [...named]));
  for (const kind of [...kinds]) for (const each of implementations(schema, kind)) kinds.add(each);
  return {
    operations: operations.map(({operation}) => operation),
    variables: operations.flatMap(({variableDefinitions = []}) => variableDefinitions.map(variableOf)),
    models: [...kinds].sort(),
    depth: Math.max(...measures.map(({depth}) => depth)),
    height: measures.reduce((sum, {height}) => sum + height, 0),
  };
}

function variableOf({variable, type, defaultValue}: VariableDefinitionNode): QueryVariable {
  return {
    name: variable.name.value,
    type: innermost(type),
    required: type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined,
    default_value: defaultValue === undefined ? null : (valueFromASTUntyped(defaultValue) as Json),
  };
}

const innermost = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : innermost(type.type);
