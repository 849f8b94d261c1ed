import {type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode} from 'graphql';
import {refuse} from '../errors.ts';
import type {GraphqlLimits} from '../limits.ts';

/** Validation compares all fields of one key with each other. */
const REPEATS_MAX = 200;

interface Size {
  readonly depth: number;
  readonly fields: number;
  readonly aliases: number;
  /** How often each response key is asked for in one place, fragments written out. */
  readonly keys: ReadonlyMap<string, number>;
}

/**
 * Refuses documents that are too deep or too large with their fragments written out. It runs before validation,
 * whose cost grows with those, so fragments that spread themselves end here at the size reached.
 */
export function checkSize(document: DocumentNode, limits: GraphqlLimits): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const known = new Map<string, Size>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = sizeOf(definition.selectionSet, fragments, known, new Set());
    if (size.depth > limits.depthMax) {
      throw refuse(`The query is ${size.depth} levels deep; at most ${limits.depthMax} are allowed`);
    }
    if (size.aliases > limits.aliasesMax) {
      throw refuse(`The query has ${size.aliases} aliases; at most ${limits.aliasesMax} are allowed`);
    }
    if (size.fields > limits.fieldsMax) {
      throw refuse(`The query asks for ${size.fields} fields; at most ${limits.fieldsMax} are allowed`);
    }
  }
}

function sizeOf(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  known: Map<string, Size>,
  open: Set<string>,
): Size {
  let [depth, fields, aliases] = [0, 0, 0];
  const keys = new Map<string, number>();
  const ask = (key: string, times: number) => {
    const repeated = (keys.get(key) ?? 0) + times;
    if (repeated > REPEATS_MAX) {
      throw refuse(`The query asks for ${key} more than ${REPEATS_MAX} times in one place`);
    }
    keys.set(key, repeated);
  };
  const add = (size: Size, levels: number) => {
    depth = Math.max(depth, size.depth + levels);
    fields += size.fields;
    aliases += size.aliases;
    if (levels === 0) for (const [key, times] of size.keys) ask(key, times);
  };
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      fields += 1;
      ask(selection.alias?.value ?? selection.name.value, 1);
      aliases += selection.alias === undefined ? 0 : 1;
      const inner = selection.selectionSet;
      if (inner === undefined) depth = Math.max(depth, 1);
      else add(sizeOf(inner, fragments, known, open), 1);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      add(sizeOf(selection.selectionSet, fragments, known, open), 0);
    } else {
      const {value: name} = selection.name;
      const fragment = fragments.get(name);
      if (fragment === undefined || open.has(name)) continue;
      let size = known.get(name);
      if (size === undefined) {
        open.add(name);
        size = sizeOf(fragment.selectionSet, fragments, known, open);
        open.delete(name);
        known.set(name, size);
      }
      add(size, 0);
    }
  }
  return {depth, fields, aliases, keys};
}
