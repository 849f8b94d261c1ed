import {problem} from '../problem.ts';
import type {SchemaRule} from './rule.ts';

/** A generic may say which namespaces it is for. */
export const genericNamespaces: SchemaRule = function* (schema) {
  for (const node of schema.nodes.values()) {
    for (const name of node.inherit_from) {
      const allowed = schema.generics.get(name)?.restricted_namespaces ?? null;
      if (allowed === null || allowed.includes(node.namespace)) continue;
      const message = `${name} can only be used in ${allowed.join(', ')}, ${node.kind} is in ${node.namespace}`;
      yield problem(`${node.kind}.inherit_from`, `${message}; remove it from the list`);
    }
  }
};
