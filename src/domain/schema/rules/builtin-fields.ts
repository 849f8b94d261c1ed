import {builtinSource} from '../builtin/builtin-source.ts';
import {fieldsOf} from '../lookup-definitions.ts';
import {problem} from '../problem.ts';
import {RESTRICTED_NAMESPACES} from '../vocabulary.ts';
import type {DocumentRule} from './rule.ts';

/** Extensions add to the service's kinds; what the service itself relies on stays as it is. */
export const builtinFields: DocumentRule = function* (document) {
  for (const entry of document.extensions) {
    const kind = builtinSource().kinds.get(entry.kind);
    if (kind === undefined || !RESTRICTED_NAMESPACES.has(kind.namespace)) continue;
    const own = fieldsOf(kind);
    for (const field of [...entry.attributes, ...entry.relationships]) {
      if (!own.some(each => each.name === field.name || each.id === field.id)) continue;
      const message = `${field.name} comes with the service on ${entry.kind} and cannot be changed`;
      yield problem(`${entry.kind}.${field.name}`, `${message}; choose another name`);
    }
  }
};
