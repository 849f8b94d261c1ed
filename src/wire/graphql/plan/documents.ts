import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
  visit,
} from 'graphql';
import {RequestRefused, refuse} from '../errors.ts';
import type {GraphqlLimits} from '../limits.ts';
import type {BranchGraphql} from '../types/branch-graphql.ts';
import {checkSize} from './document-limits.ts';
import {expand} from './expand.ts';
import {Recent} from './recent.ts';
import {VariablesPlan} from './variables-plan.ts';

const ERRORS_MAX = 20;
/** In a larger schema, looking for a name that was meant takes too long. */
const SUGGESTIONS_TYPES_MAX = 4_000;

/** An operation of a valid document, with what was worked out for it. */
export interface ValidOperation {
  readonly node: OperationDefinitionNode;
  readonly variables: VariablesPlan;
  /** Plans and answers by what they depend on, kept as long as the document is. */
  readonly plans: Recent<string, unknown>;
}

/** A document that is valid for a schema. */
export class ValidDocument {
  readonly face: BranchGraphql;
  readonly document: DocumentNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Variables that decide which fields are asked for. */
  readonly deciding: readonly string[];
  readonly #operations = new Map<string | undefined, ValidOperation>();

  constructor(face: BranchGraphql, document: DocumentNode) {
    this.face = face;
    this.document = document;
    this.fragments = fragmentsOf(document);
    this.deciding = decidingVariables(document);
  }

  operation(name: string | undefined): ValidOperation {
    const known = this.#operations.get(name);
    if (known !== undefined) return known;
    const node = operationOf(this.document, name);
    const variables = new VariablesPlan(this.face.graphql, node);
    const made = {node, variables, plans: new Recent<string, unknown>(PLANS_MAX)};
    this.#operations.set(name, made);
    return made;
  }
}

/** A document as it was read, with what it is for the schemas that it was asked of last. */
interface KeptDocument {
  readonly document: DocumentNode;
  readonly valid: Recent<BranchGraphql, ValidDocument>;
}

/** Parsed and validated documents by their text. */
export class Documents {
  readonly #limits: GraphqlLimits;
  readonly #kept: Recent<string, KeptDocument>;

  constructor(limits: GraphqlLimits) {
    this.#limits = limits;
    this.#kept = new Recent(limits.documentsCachedMax);
  }

  parse(text: string): DocumentNode {
    return this.#read(text).document;
  }

  valid(face: BranchGraphql, text: string): ValidDocument {
    const kept = this.#read(text);
    const known = kept.valid.get(face);
    if (known !== undefined) return known;
    const document = text.includes('@expand') ? expand(kept.document, face.graphql) : kept.document;
    const errors = validate(face.graphql, document, undefined, {
      maxErrors: ERRORS_MAX,
      hideSuggestions: Object.keys(face.graphql.getTypeMap()).length > SUGGESTIONS_TYPES_MAX,
    });
    if (errors.length > 0) throw new RequestRefused(errors);
    const made = new ValidDocument(face, document);
    kept.valid.set(face, made);
    return made;
  }

  #read(text: string): KeptDocument {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    const {queryCharactersMax, tokensMax} = this.#limits;
    if (text.length > queryCharactersMax) {
      throw refuse(`The query has ${text.length} characters; at most ${queryCharactersMax} are allowed`);
    }
    const document = parseOrRefuse(text, tokensMax);
    checkSize(document, this.#limits);
    const made = {document, valid: new Recent<BranchGraphql, ValidDocument>(SCHEMAS_MAX)};
    if (this.#isKept(text)) this.#kept.set(text, made);
    return made;
  }

  /** What is asked again and again is short; a document that carries its data is not worth keeping. */
  #isKept(text: string): boolean {
    return text.length <= this.#limits.documentCharactersCachedMax;
  }
}

const PLANS_MAX = 16;
const SCHEMAS_MAX = 8;

function parseOrRefuse(text: string, maxTokens: number): DocumentNode {
  try {
    return parse(text, {maxTokens});
  } catch (error) {
    if (error instanceof GraphQLError) throw new RequestRefused([error]);
    throw error;
  }
}

function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

function decidingVariables(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive(node) {
      if (node.name.value !== 'skip' && node.name.value !== 'include') return;
      for (const {value} of node.arguments ?? []) {
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      }
    },
  });
  return [...names].sort();
}

/** The operation to run: the only one, or the one that is named. */
export function operationOf(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter(each => each.kind === Kind.OPERATION_DEFINITION);
  if (name !== undefined) {
    const named = operations.find(operation => operation.name?.value === name);
    if (named === undefined) throw refuse(`The query has no operation named "${name}"`);
    return named;
  }
  const [only, ...others] = operations;
  if (only === undefined) throw refuse('The query has no operation');
  if (others.length > 0) throw refuse('The query has several operations: name one in operationName');
  return only;
}
