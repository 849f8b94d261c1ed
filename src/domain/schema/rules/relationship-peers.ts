import {declaredKinds, kindOf} from '../lookup.ts';
import {problem} from '../problem.ts';
import {ownRelationships, type SchemaRule} from './rule.ts';

/** A relationship leads to a kind that exists: one that is removed must first lose its references. */
export const relationshipPeers: SchemaRule = function* (schema) {
  for (const kind of declaredKinds(schema)) {
    for (const {name, peer} of ownRelationships(kind)) {
      if (kindOf(schema, peer) !== undefined) continue;
      const advice = `define ${peer}, correct the name, or remove ${kind.kind}.${name}`;
      yield problem(
        `${kind.kind}.${name}.peer`,
        `${kind.kind}.${name} leads to ${peer}, which does not exist; ${advice}`,
      );
    }
  }
};
