import {problem} from '../problem.ts';
import type {SchemaRule} from './rule.ts';

/** A node inherits from generics that exist, each once, and lives in one hierarchy at most. */
export const inheritedGenerics: SchemaRule = function* (schema) {
  for (const node of schema.nodes.values()) {
    const path = `${node.kind}.inherit_from`;
    for (const name of node.inherit_from) {
      if (schema.generics.has(name)) continue;
      yield schema.nodes.has(name)
        ? problem(
            path,
            `${node.kind} inherits from ${name}, which is a node; only generics can be inherited from`,
          )
        : problem(
            path,
            `${node.kind} inherits from ${name}, which does not exist; define it or remove it from the list`,
          );
    }
    if (new Set(node.inherit_from).size < node.inherit_from.length) {
      yield problem(path, `${node.kind} lists a generic twice; remove one of them`);
    }
    const hierarchies = node.inherit_from.filter(name => schema.generics.get(name)?.hierarchical === true);
    if (hierarchies.length > 1) {
      const names = hierarchies.join(' and ');
      yield problem(
        path,
        `${node.kind} inherits from ${names}, which are both hierarchical; keep one of them`,
      );
    }
  }
};
