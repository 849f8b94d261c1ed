import type {NodeRecord} from '../../domain/graph/node.ts';
import type {WriteScope} from '../write.ts';
import {makeNode} from './make-node.ts';
import type {NodeInput} from './node-input.ts';
import {NodeWork} from './node-work.ts';
import {settle, settled} from './settle.ts';

/**
 * Makes an object of a kind, with what is nested in the input. Passwords are hashed already: see
 * `prepareNodeInput`.
 */
export async function createNode(scope: WriteScope, kind: string, input: NodeInput): Promise<NodeRecord> {
  const work = new NodeWork(scope);
  const node = await makeNode(work, kind, input);
  await settle(work);
  return settled(work, node);
}
