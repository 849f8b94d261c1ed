import {kindOf} from '../lookup.ts';
import {resolvePath} from '../paths.ts';
import {problem} from '../problem.ts';
import type {SchemaRule} from './rule.ts';

/** The extra look-up key is an attribute of the kind. */
export const defaultFilter: SchemaRule = function* (schema, source) {
  for (const [name, definition] of source.kinds) {
    const kind = kindOf(schema, name);
    if (kind === undefined || definition.default_filter === null) continue;
    const resolved = resolvePath(schema, kind, definition.default_filter);
    if (resolved.is === 'attribute') continue;
    const message =
      resolved.is === 'unresolved'
        ? resolved.message
        : `"${definition.default_filter}" is no attribute of ${name}; name one, such as name__value`;
    yield problem(`${name}.default_filter`, message);
  }
};
