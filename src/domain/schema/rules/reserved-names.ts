import {problem, type SchemaProblem} from '../problem.ts';
import {kindName} from '../source.ts';
import type {DocumentRule} from './rule.ts';

const RESERVED: ReadonlySet<string> = new Set([
  'any',
  'attribute',
  'attributes',
  'attr',
  'attrs',
  'display_label',
  'hfid',
  'history',
  'ids',
  'node_metadata',
  'rel',
  'relationship',
  'relationships',
  'rels',
  'save',
]);

/** Names that filters, clients or the answers of the API use themselves. */
export const reservedNames: DocumentRule = function* (document, source) {
  for (const entry of document.nodes) yield* check(kindName(entry), entry, false);
  for (const entry of document.generics) yield* check(kindName(entry), entry, true);
  for (const entry of document.extensions) {
    yield* check(entry.kind, entry, source.kinds.get(entry.kind)?.type === 'generic');
  }
};

type Fields = {
  readonly attributes: readonly {readonly name: string; readonly state: string}[];
  readonly relationships: readonly {readonly name: string; readonly state: string}[];
};

function* check(kind: string, entry: Fields, isGeneric: boolean): Iterable<SchemaProblem> {
  for (const field of [...entry.attributes, ...entry.relationships]) {
    if (field.state === 'absent') continue;
    if (!RESERVED.has(field.name) && !(isGeneric && field.name === 'type')) continue;
    const where = field.name === 'type' ? ' on generics' : '';
    yield problem(
      `${kind}.${field.name}.name`,
      `"${field.name}" is a reserved name${where}; choose another name`,
    );
  }
}
