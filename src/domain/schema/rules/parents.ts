import {declaredKinds} from '../lookup.ts';
import {problem} from '../problem.ts';
import {ownRelationships, type SchemaRule} from './rule.ts';

/** An object has at most one kind of owner, exactly one of it, always. */
export const parents: SchemaRule = function* (schema) {
  for (const kind of declaredKinds(schema)) {
    const all = kind.relationships.filter(each => each.kind === 'Parent');
    if (all.length > 1 && all.some(each => !each.inherited)) {
      const names = all.map(each => each.name).join(' and ');
      yield problem(
        kind.kind,
        `${names} are both of kind Parent, and ${kind.kind} can have one only; make one Generic`,
      );
    }
    for (const {name, kind: means, cardinality, optional} of ownRelationships(kind)) {
      if (means !== 'Parent') continue;
      if (cardinality !== 'one') {
        yield problem(
          `${kind.kind}.${name}.cardinality`,
          `${name} is of kind Parent and needs cardinality one`,
        );
      }
      if (optional) {
        yield problem(`${kind.kind}.${name}.optional`, `${name} is of kind Parent and needs optional: false`);
      }
    }
  }
};
