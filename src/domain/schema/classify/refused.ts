import {problem} from '../problem.ts';
import type {SchemaChange} from './changes.ts';

/** A property that can only be given at birth. */
export function refused(path: string, what: string, from: string, to: string): SchemaChange {
  const message = `The ${what} cannot change from ${from} to ${to}; keep it, or remove the element and add another`;
  return {is: 'refused', problem: problem(path, message)};
}
