import {unreachable} from '../../../base/assert.ts';
import type {SchemaChange} from '../../../domain/schema/classify/changes.ts';
import type {Schema} from '../../../domain/schema/schema.ts';
import {
  surveyAddedAttribute,
  surveyChangedKind,
  surveyLateValues,
  surveyMandatoryAttribute,
  surveyMovedAttribute,
  surveyTightenedAttribute,
} from './attribute-changes.ts';
import {surveyAddedRelationship, surveyIdentifiers, surveyRemovedRelationship} from './edge-changes.ts';
import {type KindPair, Look, type Reads} from './look.ts';
import {
  surveyCommonParent,
  surveyCounts,
  surveyHierarchy,
  surveyLeavingPeers,
  surveyPeer,
} from './relationship-changes.ts';
import {Survey} from './survey.ts';
import {surveyUniqueness} from './uniqueness.ts';

export interface SchemaStep {
  readonly before: Schema;
  readonly after: Schema;
  /** As `classifyChanges` tells them, none of them refused. */
  readonly changes: readonly SchemaChange[];
}

/** Looks at the data for everything that a change of schema means for it. Kinds without objects cost nothing. */
export async function surveyData(
  reads: Reads,
  {before, after, changes}: SchemaStep,
  onDefaultBranch: boolean,
): Promise<Survey> {
  const look = new Look(reads, before, after, changes);
  const survey = new Survey(look, onDefaultBranch);
  for (const change of changes) await surveyChange(survey, change);
  surveyLateValues(survey);
  await surveyLeavingPeers(survey);
  await surveyIdentifiers(survey);
  await survey.visitAll();
  return survey;
}

async function surveyChange(survey: Survey, change: SchemaChange): Promise<void> {
  switch (change.is) {
    case 'refused':
    case 'kind-added':
    case 'kind-renamed':
    case 'attribute-removed':
    case 'attribute-renamed':
      return;
    case 'kind-removed':
      await surveyRemovedKind(survey, change);
      return;
    case 'profile-dropped':
      await survey.refuseWhere(change.profile, undefined, {
        name: change.constraint,
        path: `schema/${change.kind}/generate_profile`,
      });
      return;
    case 'uniqueness-added':
      await surveyUniqueness(survey, change);
      return;
    default: {
      const pair = survey.look.pair(change.kind);
      if (pair !== undefined) await surveyChangeOfKind(survey, pair, change);
    }
  }
}

type ChangeOfKind = Exclude<
  SchemaChange,
  {
    is:
      | 'attribute-removed'
      | 'attribute-renamed'
      | 'kind-added'
      | 'kind-removed'
      | 'kind-renamed'
      | 'profile-dropped'
      | 'refused'
      | 'uniqueness-added';
  }
>;

async function surveyChangeOfKind(survey: Survey, pair: KindPair, change: ChangeOfKind): Promise<void> {
  switch (change.is) {
    case 'generics-changed':
      if (change.removed.length === 0) return;
      return survey.refuseWhere(pair.before.kind, undefined, {
        name: change.constraint,
        path: `schema/${change.kind}/inherit_from`,
      });
    case 'attribute-added':
      return surveyAddedAttribute(survey, pair, change);
    case 'attribute-made-mandatory':
      return surveyMandatoryAttribute(survey, pair, change);
    case 'attribute-tightened':
      return surveyTightenedAttribute(survey, pair, change);
    case 'attribute-kind-changed':
      return surveyChangedKind(survey, pair, change);
    case 'attribute-moved':
      return surveyMovedAttribute(survey, pair, change);
    case 'relationship-added':
      return surveyAddedRelationship(survey, pair, change);
    case 'relationship-removed':
      return surveyRemovedRelationship(survey, pair, change);
    case 'relationship-peer-changed':
      return surveyPeer(survey, pair, change);
    case 'relationship-counts-tightened':
      return surveyCounts(survey, pair, change);
    case 'common-parent-required':
      return surveyCommonParent(survey, pair, change);
    case 'hierarchy-changed':
      return surveyHierarchy(survey, pair, change);
    default:
      return unreachable(change);
  }
}

/** Its objects end with it; those that other branches see as well would end there too. */
async function surveyRemovedKind(
  survey: Survey,
  {kind, before}: Extract<SchemaChange, {is: 'kind-removed'}>,
): Promise<void> {
  if (survey.onDefaultBranch || before.branch !== 'agnostic') return;
  await survey.refuseWhere(before.kind, undefined, {name: 'node.kind.remove', path: `schema/${kind}`});
}
