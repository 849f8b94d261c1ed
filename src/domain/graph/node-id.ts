import type {Brand} from '../../base/brand.ts';
import {validationError} from '../errors.ts';

export type NodeId = Brand<string, 'NodeId'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isNodeId = (text: string): text is NodeId => UUID.test(text);

export function parseNodeId(text: string): NodeId {
  const lower = text.toLowerCase();
  if (!isNodeId(lower)) throw validationError(`"${text}" is not a UUID`);
  return lower;
}
