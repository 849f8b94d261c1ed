import {assert} from '../../base/assert.ts';
import {FULL_ACCESS} from '../../domain/access/access.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {classifyChanges} from '../../domain/schema/classify/classify-changes.ts';
import {diffSchemas, type SchemaDiff} from '../../domain/schema/diff-schemas.ts';
import type {LoadPlan} from '../../domain/schema/plan-load.ts';
import type {DocumentProblem, SchemaProblem} from '../../domain/schema/problem.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {SchemaWarning} from '../../domain/schema/schema-warnings.ts';
import type {SchemaSource} from '../../domain/schema/source.ts';
import type {Author, Snapshot} from '../../ports/graph-store.ts';
import type {Services} from '../services.ts';
import {putSchema} from './put-schema.ts';
import {recompute} from './recompute.ts';
import {schemaInvalid} from './schema-invalid.ts';
import type {Survey} from './survey/survey.ts';
import {type SchemaStep, surveyData} from './survey/survey-data.ts';

export type SchemaDeps = Pick<Services, 'store' | 'schemas' | 'ids'>;

export interface SchemaOutcome {
  /** As it is, or would be, after the change. */
  readonly schema: Schema;
  readonly hash: string;
  readonly previousHash: string;
  readonly diff: SchemaDiff;
  readonly warnings: readonly SchemaWarning[];
  readonly isUpdated: boolean;
}

/** What somebody wants to make of the schema of a branch, whatever it is by then. */
export interface SchemaIntent {
  readonly branch: BranchName;
  readonly author: Author;
  /** Thought through ahead of the write, for as long as it takes. */
  planAhead(stored: SchemaSource): Promise<LoadPlan>;
  /** Thought through inside the write, when the schema keeps moving. */
  planNow(stored: SchemaSource): LoadPlan;
  place(problems: readonly SchemaProblem[]): readonly DocumentProblem[];
}

type Changed = Extract<LoadPlan, {is: 'changed'}>;

/** Plans made ahead that may come too late before one is made while everybody else waits. */
const PLANS_AHEAD_MAX = 3;

/** The schema is no longer the one that the plan was made for. */
class SchemaMoved extends Error {}

const NO_DIFF: SchemaDiff = {added: {}, changed: {}, removed: {}};

/**
 * Changes the schema of a branch and brings its data in step, as one commit or not at all. The plan is made
 * outside the write, against a snapshot; it counts only if the schema is still that one when the write begins.
 */
export async function changeSchema(deps: SchemaDeps, intent: SchemaIntent): Promise<SchemaOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const snapshot = await deps.store.snapshot({branch: intent.branch});
    const plan = accepted(await intent.planAhead(deps.schemas.source(snapshot)));
    if (plan.is === 'unchanged') return unchanged(deps.schemas.of(snapshot), plan.warnings);
    try {
      return await writeChange(deps, intent, snapshot.schemaKey, plan, attempt > PLANS_AHEAD_MAX);
    } catch (error) {
      if (!(error instanceof SchemaMoved)) throw error;
    }
  }
}

/** The same validation, on what is there now, without the change. */
export async function checkChange(deps: SchemaDeps, intent: SchemaIntent): Promise<SchemaOutcome> {
  const snapshot = await deps.store.snapshot({branch: intent.branch});
  const plan = accepted(await intent.planAhead(deps.schemas.source(snapshot)));
  const before = deps.schemas.of(snapshot);
  if (plan.is === 'unchanged') return unchanged(before, plan.warnings);
  await surveyed(deps, intent, snapshot, stepTo(intent, before, plan.schema));
  return outcome(before, plan, false);
}

async function writeChange(
  deps: SchemaDeps,
  intent: SchemaIntent,
  schemaKey: string,
  ahead: Changed,
  mayPlanNow: boolean,
): Promise<SchemaOutcome> {
  const {branch, author} = intent;
  const {value, commit} = await deps.store.write(branch, author, async draft => {
    const isCurrent = draft.schemaKey === schemaKey;
    if (!isCurrent && !mayPlanNow) throw new SchemaMoved();
    const plan = isCurrent ? ahead : accepted(intent.planNow(deps.schemas.source(draft)));
    const before = deps.schemas.of(draft);
    if (plan.is === 'unchanged') return {plan, outcome: unchanged(before, plan.warnings)};
    const stored = deps.schemas.source(draft);
    const survey = await surveyed(deps, intent, draft, stepTo(intent, before, plan.schema));
    await putSchema(draft, {source: stored, schema: before}, plan, survey);
    const caller = {account: author.account, access: FULL_ACCESS};
    const onDefaultBranch = branch === deps.store.defaultBranch;
    await recompute({draft, schema: plan.schema, caller, onDefaultBranch, ids: deps.ids}, survey);
    return {plan, outcome: outcome(before, plan, true)};
  });
  if (commit !== undefined && value.plan.is === 'changed') {
    const snapshot = await deps.store.snapshot({branch, at: commit});
    deps.schemas.learn(snapshot, value.plan.source, value.plan.schema);
  }
  return value.outcome;
}

function stepTo(intent: SchemaIntent, before: Schema, after: Schema): SchemaStep {
  const changes = classifyChanges(before, after);
  const refused = changes.flatMap(change => (change.is === 'refused' ? change.problem : []));
  if (refused.length > 0) throw schemaInvalid(intent.place(refused));
  return {before, after, changes};
}

async function surveyed(
  deps: SchemaDeps,
  intent: SchemaIntent,
  reads: Snapshot,
  step: SchemaStep,
): Promise<Survey> {
  const survey = await surveyData(reads, step, intent.branch === deps.store.defaultBranch);
  survey.violations.refuseAny();
  return survey;
}

function accepted(plan: LoadPlan): Exclude<LoadPlan, {is: 'refused'}> {
  if (plan.is !== 'refused') return plan;
  assert(plan.problems.length > 0, 'a plan is refused for a reason');
  throw schemaInvalid(plan.problems);
}

const unchanged = (schema: Schema, warnings: readonly SchemaWarning[]): SchemaOutcome => ({
  schema,
  hash: schema.hash,
  previousHash: schema.hash,
  diff: NO_DIFF,
  warnings,
  isUpdated: false,
});

const outcome = (before: Schema, {schema, warnings}: Changed, isUpdated: boolean): SchemaOutcome => ({
  schema,
  hash: schema.hash,
  previousHash: before.hash,
  diff: diffSchemas(before, schema),
  warnings,
  isUpdated,
});
