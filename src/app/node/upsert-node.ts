import {nodeNotFound} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {isNodeId} from '../../domain/graph/node-id.ts';
import type {WriteScope} from '../write.ts';
import {authorizeChange} from './access.ts';
import {changeNode} from './change-node.ts';
import {findByUniqueKey} from './find-by-unique-key.ts';
import {findNode} from './find-node.ts';
import {makeNode} from './make-node.ts';
import type {NodeInput} from './node-input.ts';
import {NodeWork} from './node-work.ts';
import {settle, settled} from './settle.ts';

/**
 * Changes the object that the input means, or makes it: found by id, by human-friendly id, or by a unique key
 * put together from the data. Passwords are hashed already: see `prepareNodeInput`.
 */
export async function upsertNode(
  scope: WriteScope,
  kind: string,
  input: NodeInput,
): Promise<{readonly node: NodeRecord; readonly isNew: boolean}> {
  const work = new NodeWork(scope);
  work.concreteKind(kind);
  authorizeChange(scope, 'create', kind);
  authorizeChange(scope, 'update', kind, Object.keys(input.attributes));
  const existing = await existingNode(work, kind, input);
  const {hfid: _hfid, ...data} = input;
  const node =
    existing === undefined ? await makeNode(work, kind, data) : await changeNode(work, existing, data);
  await settle(work);
  return {node: await settled(work, node), isNew: existing === undefined};
}

async function existingNode(work: NodeWork, kind: string, input: NodeInput): Promise<NodeRecord | undefined> {
  const {id, hfid} = input;
  if (id !== undefined || hfid !== undefined) {
    const node = await findNode(work.draft, work.schema, kind, input);
    if (node !== undefined) return node;
    // A text in place of the id can only mean an object that exists.
    if (id !== undefined && !isNodeId(id.toLowerCase())) throw nodeNotFound(kind, id);
    if (id !== undefined) return undefined;
  }
  return findByUniqueKey(work, kind, input);
}
