import {checkValue} from '../../domain/attribute/check-value.ts';
import type {FieldProblem} from '../../domain/node/field-problem.ts';
import {invalidFields} from '../../domain/node/field-problem.ts';
import {attributeOf, concreteKindOf, kindOf, relationshipOf} from '../../domain/schema/lookup.ts';
import type {AttributeSchema, KindSchema, Schema} from '../../domain/schema/schema.ts';
import type {Passwords} from '../../ports/passwords.ts';
import type {AttributeInput, NodeInput, RelatedInput} from './node-input.ts';

/**
 * The input with every password hashed, nested objects included. Callers run this before they open the write:
 * hashing takes long on purpose, and a write awaits nothing but its draft. The verbs refuse to store a password
 * that did not come through here.
 */
export async function prepareNodeInput(
  deps: {readonly passwords: Passwords},
  schema: Schema,
  kindName: string,
  input: NodeInput,
): Promise<NodeInput> {
  const kind = kindOf(schema, kindName);
  if (kind === undefined) return input;
  const problems: FieldProblem[] = [];
  const attributes: [string, AttributeInput][] = [];
  for (const [name, given] of Object.entries(input.attributes)) {
    const attribute = attributeOf(kind, name) ?? attributeOfSome(schema, kind, name);
    const isGiven = given.value !== undefined && given.value !== null;
    const checked =
      attribute?.kind === 'HashedPassword' && isGiven ? checkValue(attribute, given.value) : undefined;
    if (checked?.ok === false) problems.push(...checked.problems.map(message => ({field: name, message})));
    const text = checked?.ok === true ? checked.value : null;
    const isHashable = typeof text === 'string';
    attributes.push([name, isHashable ? {...given, value: await deps.passwords.hash(text)} : given]);
  }
  if (problems.length > 0) throw invalidFields(kindName, problems);
  const relationships: [string, RelatedInput | readonly RelatedInput[] | null][] = [];
  for (const [name, given] of Object.entries(input.relationships)) {
    const peer = relationshipOf(kind, name)?.peer;
    const prepared = peer === undefined ? given : await preparePeers(deps, schema, peer, given);
    relationships.push([name, prepared]);
  }
  return {
    ...input,
    attributes: Object.fromEntries(attributes),
    relationships: Object.fromEntries(relationships),
  };
}

async function preparePeers(
  deps: {readonly passwords: Passwords},
  schema: Schema,
  peer: string,
  given: RelatedInput | readonly RelatedInput[] | null,
): Promise<RelatedInput | readonly RelatedInput[] | null> {
  if (given === null) return null;
  const prepareOne = async (related: RelatedInput): Promise<RelatedInput> => {
    if (related.data === undefined) return related;
    return {...related, data: await prepareNodeInput(deps, schema, related.kind ?? peer, related.data)};
  };
  if (!isList(given)) return prepareOne(given);
  const prepared: RelatedInput[] = [];
  for (const related of given) prepared.push(await prepareOne(related));
  return prepared;
}

/** A generic may be asked to change what only some of its kinds have. */
function attributeOfSome(schema: Schema, kind: KindSchema, name: string): AttributeSchema | undefined {
  if (kind.type !== 'generic') return undefined;
  for (const implementation of kind.used_by) {
    const concrete = concreteKindOf(schema, implementation);
    const attribute = concrete === undefined ? undefined : attributeOf(concrete, name);
    if (attribute?.kind === 'HashedPassword') return attribute;
  }
  return undefined;
}

const isList = (given: RelatedInput | readonly RelatedInput[]): given is readonly RelatedInput[] =>
  Array.isArray(given);
