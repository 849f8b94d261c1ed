import type {FieldProblem} from '../../domain/node/field-problem.ts';
import {mandatoryProblem} from '../../domain/node/field-problem.ts';
import {peersMax} from '../../domain/node/peer-count.ts';
import type {ConcreteSchema, RelationshipSchema} from '../../domain/schema/schema.ts';
import type {NodeInput, RelatedInput} from './node-input.ts';

export interface GivenPeers {
  readonly relationship: RelationshipSchema;
  readonly list: readonly RelatedInput[];
}

/** The relationships that an input sets, in the order of the input; what cannot be set at all is a problem. */
export function givenPeers(
  kind: ConcreteSchema,
  relationships: NodeInput['relationships'],
  problems: FieldProblem[],
): readonly GivenPeers[] {
  const given: GivenPeers[] = [];
  for (const [name, value] of Object.entries(relationships)) {
    const relationship = kind.fields.get(name);
    const problem = nameProblem(kind, name);
    if (problem !== undefined) problems.push(problem);
    if (relationship?.is !== 'relationship' || problem !== undefined) continue;
    const list = listOf(value);
    if (list.length === 0 && !relationship.optional) problems.push(mandatoryProblem(kind.kind, name));
    else if (relationship.cardinality === 'one' && list.length > 1) {
      problems.push({field: name, message: `Too many relationships, max ${peersMax(relationship)}`});
    } else given.push({relationship, list});
  }
  return given;
}

export function nameProblem(kind: ConcreteSchema, name: string): FieldProblem | undefined {
  const field = kind.fields.get(name);
  if (field === undefined) return {field: name, message: `${name} is not a field of ${kind.kind}`};
  if (field.is === 'attribute') {
    return {field: name, message: `${name} is an attribute of ${kind.kind}, not a relationship`};
  }
  if (field.read_only) return {field: name, message: `${name} is read-only on ${kind.kind}`};
  return undefined;
}

export function listOf(value: RelatedInput | readonly RelatedInput[] | null): readonly RelatedInput[] {
  if (value === null) return [];
  return isList(value) ? value : [value];
}

const isList = (value: RelatedInput | readonly RelatedInput[]): value is readonly RelatedInput[] =>
  Array.isArray(value);
