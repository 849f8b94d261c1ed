import type {SchemaDocument} from '../document.ts';
import type {Location} from '../problem.ts';
import {kindName} from '../source.ts';

/**
 * Where the thing that a problem's path names stands in the request: the field or the kind it is about,
 * else `base`, since a document can break something that it does not itself mention.
 */
export function locate(document: SchemaDocument, path: string, base: Location): Location {
  const [kind = '', ...rest] = path.split('.');
  const entries = [
    ...document.nodes.filter(entry => kindName(entry) === kind),
    ...document.generics.filter(entry => kindName(entry) === kind),
    ...document.extensions.filter(entry => entry.kind === kind),
  ];
  const [first, second] = rest;
  for (const entry of entries) {
    const fields = [...entry.attributes, ...entry.relationships];
    const field = fields.find(each => each.name === first);
    if (field !== undefined) return second === undefined ? field.loc : [...field.loc, second];
  }
  const entry = entries[0];
  if (entry === undefined) return base;
  return first !== undefined && Object.hasOwn(entry, first) ? [...entry.loc, first] : entry.loc;
}
