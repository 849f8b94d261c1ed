import {problemsMax} from '../limits.ts';
import type {SchemaProblem} from '../problem.ts';
import type {Schema} from '../schema.ts';
import type {SchemaSource} from '../source.ts';
import {apiTypeNames} from './api-type-names.ts';
import {attributeChoices} from './attribute-choices.ts';
import {attributeEnum} from './attribute-enum.ts';
import {attributeParameters} from './attribute-parameters.ts';
import {commonRelatives} from './common-relatives.ts';
import {componentCycles} from './component-cycles.ts';
import {computedAttributes} from './computed-attributes.ts';
import {defaultFilter} from './default-filter.ts';
import {defaultValues} from './default-values.ts';
import {displayLabels} from './display-labels.ts';
import {duplicateFields} from './duplicate-fields.ts';
import {generatedNames} from './generated-names.ts';
import {genericNamespaces} from './generic-namespaces.ts';
import {hierarchyPlaces} from './hierarchy-places.ts';
import {humanFriendlyId} from './human-friendly-id.ts';
import {inheritedGenerics} from './inherited-generics.ts';
import {mutualMandatory} from './mutual-mandatory.ts';
import {numberPools} from './number-pools.ts';
import {orderByPaths} from './order-by-paths.ts';
import {overrides} from './overrides.ts';
import {parents} from './parents.ts';
import {relationshipCounts} from './relationship-counts.ts';
import {relationshipDirections} from './relationship-directions.ts';
import {relationshipIdentifiers} from './relationship-identifiers.ts';
import {relationshipPeers} from './relationship-peers.ts';
import type {SchemaRule} from './rule.ts';
import {sizes} from './sizes.ts';
import {uniquenessPaths} from './uniqueness-paths.ts';

const RULES: readonly SchemaRule[] = [
  sizes,
  inheritedGenerics,
  genericNamespaces,
  overrides,
  duplicateFields,
  generatedNames,
  apiTypeNames,
  attributeChoices,
  attributeEnum,
  attributeParameters,
  defaultValues,
  numberPools,
  computedAttributes,
  relationshipPeers,
  relationshipCounts,
  relationshipIdentifiers,
  relationshipDirections,
  commonRelatives,
  parents,
  componentCycles,
  mutualMandatory,
  hierarchyPlaces,
  uniquenessPaths,
  humanFriendlyId,
  displayLabels,
  orderByPaths,
  defaultFilter,
];

/** Everything wrong with a schema, up to a bound that keeps the answer small. */
export function checkSchema(source: SchemaSource, schema: Schema): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  for (const rule of RULES) {
    for (const problem of rule(schema, source)) {
      problems.push(problem);
      if (problems.length >= problemsMax) return problems;
    }
  }
  return problems;
}
