import type {SchemaProblem} from '../problem.ts';
import {checkSchema} from '../rules/check-schema.ts';
import type {Schema} from '../schema.ts';
import type {SchemaSource} from '../source.ts';
import {finish} from './finish.ts';
import {addGroupRelationships} from './groups.ts';
import {addHierarchies} from './hierarchy.ts';
import {inherit} from './inherit.ts';
import {addProfiles} from './profiles.ts';
import {startKinds} from './start-kinds.ts';
import {addTemplates} from './templates.ts';
import {addUniqueness} from './uniqueness.ts';
import {addUsedBy} from './used-by.ts';

export type Processed = {
  readonly schema: Schema;
  /** With any of these the schema may be shown, but not used. */
  readonly problems: readonly SchemaProblem[];
};

export function processSchema(source: SchemaSource): Processed {
  const schema = deriveSchema(source);
  return {schema, problems: checkSchema(source, schema)};
}

/**
 * Everything that follows from a source, without the checks: for a source that passed them when it was
 * stored. Each step may rely on the ones before it, and copes with names that lead nowhere.
 */
export function deriveSchema(source: SchemaSource): Schema {
  const workspace = startKinds(source);
  inherit(workspace, source);
  addTemplates(workspace);
  addProfiles(workspace);
  addHierarchies(workspace);
  addGroupRelationships(workspace);
  addUniqueness(workspace);
  addUsedBy(workspace);
  return finish(workspace);
}
