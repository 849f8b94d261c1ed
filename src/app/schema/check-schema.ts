import type {Caller} from '../caller.ts';
import {checkChange, type SchemaOutcome} from './change-schema.ts';
import {intentOf, type LoadDeps, type LoadRequest} from './load-schema.ts';

/** What a load would do, or why it would be refused. It changes nothing, and needs no more than to be asked. */
export async function checkSchema(
  deps: LoadDeps,
  caller: Caller,
  request: LoadRequest,
): Promise<Pick<SchemaOutcome, 'diff' | 'warnings'>> {
  const {diff, warnings} = await checkChange(deps, intentOf(deps, caller, request));
  return {diff, warnings};
}
