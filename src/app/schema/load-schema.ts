import {assert} from '../../base/assert.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {parseSchemaDocuments} from '../../domain/schema/parse/parse-documents.ts';
import {placed, planLoad} from '../../domain/schema/plan-load.ts';
import type {SchemaPlanner} from '../../ports/schema-planner.ts';
import type {Caller} from '../caller.ts';
import {authorize} from '../caller.ts';
import {changeSchema, type SchemaDeps, type SchemaIntent, type SchemaOutcome} from './change-schema.ts';

export type LoadDeps = SchemaDeps & {readonly planner: SchemaPlanner};

export interface LoadRequest {
  readonly branch: BranchName;
  /** The list of schema roots, as it came. */
  readonly payload: unknown;
}

/** Where the list of schema roots stands in a request. */
const BASE = ['body', 'schemas'] as const;

/** Lays documents onto the schema of a branch and brings the data in step: one commit, or nothing. */
export async function loadSchema(
  deps: LoadDeps,
  caller: Caller,
  request: LoadRequest,
): Promise<SchemaOutcome> {
  authorizeSchemaChange(deps, caller, request.branch);
  return changeSchema(deps, intentOf(deps, caller, request));
}

export function authorizeSchemaChange(
  {store}: Pick<SchemaDeps, 'store'>,
  caller: Caller,
  branch: BranchName,
): void {
  authorize(caller, {is: 'global', action: 'manage_schema'});
  if (branch === store.defaultBranch) authorize(caller, {is: 'global', action: 'edit_default_branch'});
}

export function intentOf(
  {planner}: Pick<LoadDeps, 'planner'>,
  caller: Caller,
  {branch, payload}: LoadRequest,
): SchemaIntent {
  return {
    branch,
    author: {account: caller.account, message: 'Load schema'},
    planAhead: stored => planner.plan(stored, payload, BASE),
    planNow: stored => planLoad(stored, payload, BASE),
    place(problems) {
      const parsed = parseSchemaDocuments(payload, BASE);
      assert(parsed.ok, 'a document that was planned parses');
      return placed(problems, parsed.document, BASE);
    },
  };
}
