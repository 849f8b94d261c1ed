import {withBuiltins} from '../../domain/schema/builtin/builtin-source.ts';
import type {LoadPlan} from '../../domain/schema/plan-load.ts';
import {processSchema} from '../../domain/schema/process/process-schema.ts';
import type {SchemaSource} from '../../domain/schema/source.ts';
import {changeSchema, type SchemaDeps, type SchemaOutcome} from '../schema/change-schema.ts';
import {unplaced} from '../schema/schema-invalid.ts';

/**
 * Brings the kinds that come with the service into the default branch: all of them into a new database, and into
 * an older one what this version adds or changes. With nothing to do there is no commit.
 */
export async function prepareGraph(deps: SchemaDeps): Promise<SchemaOutcome> {
  return changeSchema(deps, {
    branch: deps.store.defaultBranch,
    author: {account: null, message: 'Built-in schema'},
    planAhead: async stored => planBuiltins(stored),
    planNow: planBuiltins,
    place: unplaced,
  });
}

function planBuiltins(stored: SchemaSource): LoadPlan {
  const source = withBuiltins(stored);
  if (source === stored) return {is: 'unchanged', warnings: []};
  const {schema, problems} = processSchema(source);
  if (problems.length > 0) return {is: 'refused', problems: unplaced(problems)};
  return {is: 'changed', source, schema, warnings: []};
}
