import {problem} from '../problem.ts';
import {kindName} from '../source.ts';
import {RESTRICTED_NAMESPACES} from '../vocabulary.ts';
import type {DocumentRule} from './rule.ts';

/** The service's own namespaces are closed: their kinds may be extended, not defined or removed. */
export const restrictedNamespace: DocumentRule = function* (document) {
  for (const entry of [...document.nodes, ...document.generics]) {
    if (!RESTRICTED_NAMESPACES.has(entry.namespace)) continue;
    const advice = 'choose another namespace, or add fields to a built-in kind under extensions';
    yield problem(
      `${kindName(entry)}.namespace`,
      `Restricted namespace '${entry.namespace}' used on '${entry.name}'; ${advice}`,
    );
  }
};
