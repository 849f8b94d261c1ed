import {authorize, type Caller} from '../../../app/caller.ts';
import {nodeNotFound} from '../../../domain/errors.ts';
import {parseNodeId} from '../../../domain/graph/node-id.ts';
import {isKindOf} from '../../../domain/schema/lookup.ts';
import type {FieldContext} from '../engine.ts';

export interface GivenContext {
  readonly account?: {readonly id: string} | null;
  readonly message?: string | null;
}

/** Who a mutation is for: the caller, or another account that the caller may act for. */
export async function actingCaller(
  context: FieldContext,
  given: GivenContext | null | undefined,
): Promise<Caller> {
  const {caller, snapshot, schema} = context;
  if (!given?.account) return caller;
  authorize(caller, {is: 'global', action: 'override_context'});
  const id = parseNodeId(given.account.id);
  const account = await snapshot.node(id);
  if (account === undefined || !isKindOf(schema, account.kind, 'CoreGenericAccount')) {
    throw nodeNotFound('CoreGenericAccount', id);
  }
  return {...caller, account: id};
}
