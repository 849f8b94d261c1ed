import type {AttributeParameters} from '../../attribute/check-value.ts';
import type {AttributeKind} from '../../attribute/kinds.ts';
import {ATTRIBUTE_DEFAULTS, RELATIONSHIP_DEFAULTS} from '../defaults.ts';
import type {AttributeEntry, RelationshipEntry} from '../document.ts';
import {parametersOfKind} from '../parameters-of-kind.ts';
import type {AttributeDefinition, RelationshipDefinition} from '../source.ts';
import {declareChoices} from './choices.ts';
import {declare, unlessSame} from './declare.ts';

type Birth = {readonly id: string; readonly order_weight: number};

export function declareAttribute(
  stored: AttributeDefinition | undefined,
  birth: Birth,
  entry: AttributeEntry,
): AttributeDefinition {
  const kind = (entry.kind ?? stored?.kind) as AttributeKind;
  const {choices, parameters, computed_attribute, ...plain} = entry;
  const declared: AttributeDefinition = {
    ...declare(ATTRIBUTE_DEFAULTS, stored, plain),
    ...birth,
    name: entry.name,
    kind,
    choices: choicesOf(stored, kind, choices),
    parameters: parametersAfter(stored, kind, parameters),
    computed_attribute: computedAfter(stored, computed_attribute),
  };
  return unlessSame(stored, declared);
}

function choicesOf(
  stored: AttributeDefinition | undefined,
  kind: AttributeKind,
  choices: AttributeEntry['choices'],
): AttributeDefinition['choices'] {
  if (choices !== undefined) return declareChoices(stored?.choices ?? null, choices);
  return kind === 'Dropdown' ? (stored?.choices ?? null) : null;
}

/** Parameters merge one by one; a change of kind drops those that the new kind lacks. */
function parametersAfter(
  stored: AttributeDefinition | undefined,
  kind: AttributeKind,
  given: AttributeParameters | undefined,
): AttributeParameters {
  const known = parametersOfKind(kind) as readonly string[];
  const kept = Object.entries(stored?.parameters ?? {}).filter(([name]) => known.includes(name));
  return {...Object.fromEntries(kept), ...given};
}

/** `User` says that nothing computes the attribute, and so takes a computation away. */
function computedAfter(
  stored: AttributeDefinition | undefined,
  given: AttributeEntry['computed_attribute'],
): AttributeDefinition['computed_attribute'] {
  if (given === undefined) return stored?.computed_attribute ?? null;
  return given.kind === 'User' ? null : given;
}

export function declareRelationship(
  stored: RelationshipDefinition | undefined,
  birth: Birth,
  entry: RelationshipEntry,
  kind: string,
): RelationshipDefinition {
  const peer = entry.peer ?? stored?.peer ?? '';
  const declared: RelationshipDefinition = {
    ...declare(RELATIONSHIP_DEFAULTS, stored, entry),
    ...birth,
    name: entry.name,
    peer,
    identifier: entry.identifier ?? stored?.identifier ?? identifierOf(kind, peer),
  };
  return unlessSame(stored, declared);
}

/** The two kinds in alphabetical order, so that both sides arrive at the same identifier by themselves. */
export function identifierOf(kind: string, peer: string): string {
  return [kind.toLowerCase(), peer.toLowerCase()].sort().join('__');
}
