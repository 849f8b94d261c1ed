import {labelOf} from '../labels.ts';
import type {AttributeSchema, ChoiceSchema, RelationshipSchema} from '../schema.ts';
import type {AttributeDefinition, ChoiceDefinition, RelationshipDefinition} from '../source.ts';
import {storedDefault} from '../stored-default.ts';
import type {BranchSupport} from '../vocabulary.ts';

export function processAttribute(
  definition: AttributeDefinition,
  declaredBy: string,
  kindBranch: BranchSupport,
): AttributeSchema {
  return {
    is: 'attribute',
    ...definition,
    label: definition.label ?? labelOf(definition.name),
    branch: definition.branch ?? kindBranch,
    optional: definition.optional || definition.default_value !== null || definition.deprecation !== null,
    default_value: storedDefault(definition),
    choices: definition.choices === null ? null : processChoices(definition.choices),
    inherited: false,
    declaredBy,
  };
}

function processChoices(choices: readonly ChoiceDefinition[]): readonly ChoiceSchema[] {
  return choices
    .map(choice => ({
      ...choice,
      label: choice.label ?? labelOf(choice.name),
      description: choice.description ?? '',
    }))
    .sort((a, b) => (a.name < b.name ? 1 : -1));
}

export function processRelationship(
  definition: RelationshipDefinition,
  declaredBy: string,
  branch: BranchSupport,
): RelationshipSchema {
  const optional = definition.optional || definition.deprecation !== null;
  return {
    is: 'relationship',
    ...definition,
    label: definition.label ?? labelOf(definition.name),
    branch,
    optional,
    ...processCounts(definition, optional),
    on_delete: definition.on_delete ?? (definition.kind === 'Component' ? 'cascade' : 'no-action'),
    hierarchical: null,
    inherited: false,
    declaredBy,
  };
}

function processCounts(
  definition: RelationshipDefinition,
  optional: boolean,
): {readonly min_count: number; readonly max_count: number} {
  if (definition.cardinality === 'one') return {min_count: optional ? 0 : 1, max_count: 1};
  return {
    min_count: optional ? definition.min_count : Math.max(1, definition.min_count),
    max_count: definition.max_count,
  };
}

/** Both kinds alike: that; else local if either is; else aware. */
export function relationshipBranch(kind: BranchSupport, peer: BranchSupport | undefined): BranchSupport {
  if (peer === undefined || kind === peer) return kind;
  return kind === 'local' || peer === 'local' ? 'local' : 'aware';
}
