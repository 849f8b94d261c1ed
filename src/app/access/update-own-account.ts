import {FULL_ACCESS} from '../../domain/access/access.ts';
import {validationError} from '../../domain/errors.ts';
import type {Caller} from '../caller.ts';
import type {AttributeInput} from '../node/node-input.ts';
import {prepareNodeInput} from '../node/prepare-node-input.ts';
import {updateNode} from '../node/update-node.ts';
import {writing} from '../write.ts';
import type {AccessServices} from './access-services.ts';
import {requireAccount} from './api-keys.ts';

export interface OwnChanges {
  readonly password?: string;
  readonly description?: string;
}

type Deps = Pick<AccessServices, 'store' | 'schemas' | 'ids' | 'passwords' | 'audit'>;

/** Changes what everybody may change of the account they come with, and nothing else. */
export async function updateOwnAccount(deps: Deps, caller: Caller, changes: OwnChanges): Promise<void> {
  const account = requireAccount(caller);
  const {password, description} = changes;
  if (password === '') throw validationError('password must not be empty', {loc: ['data', 'password']});
  const attributes: Record<string, AttributeInput> = {};
  if (password !== undefined) attributes.password = {value: password};
  if (description !== undefined) attributes.description = {value: description};
  const {store, schemas} = deps;
  const schema = schemas.of(await store.snapshot({branch: store.defaultBranch}));
  const kind = 'CoreGenericAccount';
  const input = await prepareNodeInput(deps, schema, kind, {id: account, attributes, relationships: {}});
  const own: Caller = {...caller, account, access: FULL_ACCESS};
  const options = {branch: store.defaultBranch, message: 'Change the own account'};
  await writing(deps, own, options, scope => updateNode(scope, kind, input));
  if (password !== undefined) deps.audit.info('password changed', {account, by: account});
}
