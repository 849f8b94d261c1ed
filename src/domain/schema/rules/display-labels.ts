import {kindOf} from '../lookup.ts';
import {resolvePath} from '../paths.ts';
import {problem} from '../problem.ts';
import type {SchemaRule} from './rule.ts';
import {isTemplate, pathProblem, templateProblems} from './template-paths.ts';

/** The label of an object is made of attributes that it has. */
export const displayLabels: SchemaRule = function* (schema, source) {
  for (const [name, definition] of source.kinds) {
    const kind = kindOf(schema, name);
    if (kind === undefined) continue;
    const {display_label, display_labels} = definition;
    if (display_label !== null) {
      const messages = isTemplate(display_label)
        ? templateProblems(schema, kind, display_label)
        : [pathProblem(schema, kind, display_label)];
      for (const message of messages) {
        if (message !== undefined) yield problem(`${name}.display_label`, message);
      }
    }
    for (const path of display_labels ?? []) {
      const resolved = resolvePath(schema, kind, path);
      if (resolved.is === 'attribute') continue;
      const message =
        resolved.is === 'unresolved'
          ? resolved.message
          : `"${path}" is no attribute of ${name}; use display_label to show one of a peer`;
      yield problem(`${name}.display_labels`, message);
    }
  }
};
