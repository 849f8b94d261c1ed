import {kindOf} from '../lookup.ts';
import {problem} from '../problem.ts';
import type {SchemaRule} from './rule.ts';

/** A place in a hierarchy is given by kinds of that hierarchy. */
export const hierarchyPlaces: SchemaRule = function* (schema, source) {
  for (const [kind, definition] of source.kinds) {
    if (definition.type !== 'node') continue;
    const hierarchy = schema.nodes.get(kind)?.hierarchy ?? null;
    if (hierarchy !== null && schema.generics.get(hierarchy)?.hierarchical !== true) {
      const message = `${hierarchy} is no hierarchical generic; name one, and inherit from it`;
      yield problem(`${kind}.hierarchy`, message);
    } else if (hierarchy !== null && !definition.inherit_from.includes(hierarchy)) {
      yield problem(
        `${kind}.hierarchy`,
        `${kind} is in the hierarchy of ${hierarchy} without inheriting from it; add it to inherit_from`,
      );
    }
    for (const property of ['parent', 'children'] as const) {
      const place = definition[property];
      const path = `${kind}.${property}`;
      if (place === null) continue;
      if (hierarchy === null) {
        yield problem(
          path,
          `${kind} is in no hierarchy; inherit from a hierarchical generic, or remove ${property}`,
        );
      } else if (place !== '' && kindOf(schema, place) === undefined) {
        yield problem(path, `${place} does not exist; define it or correct the name`);
      } else if (place !== '' && place !== hierarchy && schema.nodes.get(place)?.hierarchy !== hierarchy) {
        yield problem(path, `${place} is not in the hierarchy of ${hierarchy}; name a kind that is`);
      }
    }
  }
};
