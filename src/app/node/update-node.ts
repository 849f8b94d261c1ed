import type {NodeRecord} from '../../domain/graph/node.ts';
import {concreteKindOf} from '../../domain/schema/lookup.ts';
import type {WriteScope} from '../write.ts';
import {authorizeChange} from './access.ts';
import {changeNode} from './change-node.ts';
import {requireNode} from './find-node.ts';
import type {NodeInput} from './node-input.ts';
import {NodeWork} from './node-work.ts';
import {settle, settled} from './settle.ts';

/**
 * Changes an object of a kind, or of a kind that implements the generic; what the input does not name stays.
 * Passwords are hashed already: see `prepareNodeInput`.
 */
export async function updateNode(scope: WriteScope, kind: string, input: NodeInput): Promise<NodeRecord> {
  if (concreteKindOf(scope.schema, kind) !== undefined) authorizeChange(scope, 'update', kind);
  const node = await requireNode(scope.draft, scope.schema, kind, input);
  authorizeChange(scope, 'update', node.kind, Object.keys(input.attributes));
  const work = new NodeWork(scope);
  const changed = await changeNode(work, node, input);
  await settle(work);
  return settled(work, changed);
}
