import {problem} from '../problem.ts';
import type {SchemaRule} from './rule.ts';

/** Two kinds that each need an object of the other first could never be created. */
export const mutualMandatory: SchemaRule = function* (schema) {
  for (const node of schema.nodes.values()) {
    for (const {name, peer, optional} of node.relationships) {
      if (optional || peer < node.kind) continue;
      const back = schema.nodes
        .get(peer)
        ?.relationships.find(each => !each.optional && each.peer === node.kind);
      if (back === undefined) continue;
      const message =
        peer === node.kind
          ? `${node.kind}.${name} needs another ${peer} to exist first, so none could ever be created`
          : `${node.kind}.${name} needs a ${peer}, and ${peer}.${back.name} needs a ${node.kind}, so none could ever be created`;
      yield problem(`${node.kind}.${name}.optional`, `${message}; make one of them optional`);
    }
  }
};
