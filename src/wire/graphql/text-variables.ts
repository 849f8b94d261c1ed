import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
} from 'graphql';
import type {Json} from '../../base/json.ts';

type Texts = Readonly<Record<string, string | readonly string[]>>;

const INTEGER = /^[+-]?\d{1,16}$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

/**
 * Variables that came as texts, in the types that the document declares. A text that is none of its type stays a text,
 * and running the document refuses it; what the document does not declare stays a text too.
 */
export function variablesFromTexts(
  schema: GraphQLSchema,
  document: DocumentNode,
  texts: Texts,
): Readonly<Record<string, Json>> {
  const types = new Map<string, GraphQLInputType>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const {variable, type} of definition.variableDefinitions ?? []) {
      const known = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
      if (known !== undefined) types.set(variable.name.value, known);
    }
  }
  const given = Object.entries(texts).map(([name, text]): [string, Json] => {
    const type = types.get(name);
    return [name, type === undefined ? (lastOf(text) as Json) : typedValue(type, text)];
  });
  return Object.fromEntries(given);
}

const lastOf = (text: string | readonly string[]): string =>
  typeof text === 'string' ? text : (text.at(-1) ?? '');

function typedValue(type: GraphQLInputType, text: string | readonly string[]): Json {
  if (isNonNullType(type)) return typedValue(type.ofType, text);
  if (!isListType(type)) return scalarOf(type, lastOf(text));
  const only = typeof text === 'string' ? text : text.length === 1 ? text[0]! : undefined;
  const list = only?.trimStart().startsWith('[') ? parsed(only) : undefined;
  if (Array.isArray(list)) return list as Json;
  const texts = typeof text === 'string' ? [text] : text;
  return texts.map(item => typedValue(type.ofType as GraphQLInputType, item));
}

function scalarOf(type: GraphQLInputType, text: string): Json {
  const name = 'name' in type ? type.name : '';
  switch (name) {
    case 'Int':
    case 'BigInt':
      return INTEGER.test(text) ? Number(text) : text;
    case 'Float':
      return NUMBER.test(text) ? Number(text) : text;
    case 'Boolean':
      return WORDS.get(text.toLowerCase()) ?? text;
    case 'GenericScalar':
      return parsed(text) ?? text;
    default:
      return isInputObjectType(type) ? (parsed(text) ?? text) : text;
  }
}

/** Undefined when it is no JSON. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
