import type {AccessServices} from '../../../app/access/access-services.ts';
import type {RootFieldsMaker} from '../types/root-fields.ts';
import {keyMutations} from './key-mutations.ts';
import {keyQueries} from './key-queries.ts';
import {permissionQueries} from './permission-queries.ts';

/** Root fields about the caller: their API keys, their account, their permissions. */
export function accessFields(deps: AccessServices): RootFieldsMaker {
  const query = {...keyQueries(deps), ...permissionQueries(deps)};
  const mutation = keyMutations(deps);
  return () => ({query, mutation});
}
