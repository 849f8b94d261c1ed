import {declaredKinds, kindOf, relationshipOf} from '../lookup.ts';
import {problem, type SchemaProblem} from '../problem.ts';
import type {KindSchema, RelationshipSchema} from '../schema.ts';
import {ownRelationships, type SchemaRule} from './rule.ts';

/** What two linked objects must have in common is named by relationships that exist. */
export const commonRelatives: SchemaRule = function* (schema) {
  for (const kind of declaredKinds(schema)) {
    for (const relationship of ownRelationships(kind)) {
      const peer = kindOf(schema, relationship.peer);
      if (peer === undefined) continue;
      yield* checkCommonParent(kind, relationship, peer);
      yield* checkCommonRelatives(kind, relationship, peer);
    }
  }
};

function* checkCommonParent(
  kind: KindSchema,
  {name, common_parent}: RelationshipSchema,
  peer: KindSchema,
): Iterable<SchemaProblem> {
  if (common_parent === null) return;
  const path = `${kind.kind}.${name}.common_parent`;
  if (!kind.relationships.some(each => each.kind === 'Parent')) {
    yield problem(
      path,
      `${kind.kind} has no relationship of kind Parent to share with ${peer.kind}; add one, or remove common_parent`,
    );
  }
  const there = relationshipOf(peer, common_parent);
  if (there?.kind !== 'Parent') {
    yield problem(
      path,
      `${common_parent} is no relationship of kind Parent on ${peer.kind}; name the one that leads to its parent`,
    );
  }
}

function* checkCommonRelatives(
  kind: KindSchema,
  {name, common_relatives}: RelationshipSchema,
  peer: KindSchema,
): Iterable<SchemaProblem> {
  for (const relative of common_relatives ?? []) {
    if (relationshipOf(peer, relative) !== undefined) continue;
    const path = `${kind.kind}.${name}.common_relatives`;
    yield problem(path, `${relative} is no relationship of ${peer.kind}; correct the name or remove it`);
  }
}
