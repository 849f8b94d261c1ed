import {canonicalJson, type Json} from '../../../base/json.ts';
import type {ChoiceDefinition} from '../source.ts';
import {type Conflicts, oneSided, same} from './conflict.ts';

type Element = {readonly [property: string]: unknown};

/** Lists whose order means nothing: what either side adds is added, what either side removes is removed. */
const UNITED: ReadonlySet<string> = new Set([
  'enum',
  'inherit_from',
  'uniqueness_constraints',
  'restricted_namespaces',
  'common_relatives',
]);

/**
 * Merges elements property by property. `defaults` stand in for the base of an element that both sides
 * added, so that what only one side spelled out is no conflict.
 */
export function mergeProperties<T extends object>(
  path: string,
  properties: readonly string[],
  defaults: object,
  base: T | undefined,
  ours: T,
  theirs: T,
  conflicts: Conflicts,
): T {
  const result: Record<string, unknown> = {...(ours as Element)};
  for (const property of properties) {
    const before = ((base ?? defaults) as Element)[property];
    const [mine, other] = [(ours as Element)[property], (theirs as Element)[property]];
    const single = oneSided(before, mine, other);
    if (single !== undefined) result[property] = single.value;
    else {
      const at = `${path}.${property}`;
      result[property] = mergeValue(at, property, base === undefined, before, mine, other, conflicts);
    }
  }
  return result as T;
}

function mergeValue(
  path: string,
  property: string,
  isNew: boolean,
  base: unknown,
  ours: unknown,
  theirs: unknown,
  conflicts: Conflicts,
): unknown {
  if (UNITED.has(property))
    return unite(base as Json[] | null, ours as Json[] | null, theirs as Json[] | null);
  if (property === 'parameters')
    return mergeByKey(path, base as Element, ours as Element, theirs as Element, conflicts);
  if (property === 'choices') {
    return mergeChoices(path, base as Choices, ours as Choices, theirs as Choices, conflicts);
  }
  // Weights of new fields are given by the service, each side counting for itself.
  if (property === 'order_weight' && isNew) return Math.min(ours as number, theirs as number);
  return conflicts.settle(path, base, ours, theirs);
}

function unite(
  base: readonly Json[] | null | undefined,
  ours: readonly Json[] | null,
  theirs: readonly Json[] | null,
): readonly Json[] {
  const texts = (list: readonly Json[] | null | undefined) => new Set(list?.map(canonicalJson));
  const [before, mine, other] = [texts(base), texts(ours), texts(theirs)];
  const kept = (base ?? []).filter(item => mine.has(canonicalJson(item)) && other.has(canonicalJson(item)));
  const added = new Map(
    [...(ours ?? []), ...(theirs ?? [])]
      .map(item => [canonicalJson(item), item] as const)
      .filter(([text]) => !before.has(text)),
  );
  return [...kept, ...[...added].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)];
}

function mergeByKey(
  path: string,
  base: Element,
  ours: Element,
  theirs: Element,
  conflicts: Conflicts,
): Element {
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort();
  const entries = keys.map(key => {
    const [was, mine, other] = [base[key], ours[key], theirs[key]];
    const single = oneSided(was, mine, other);
    return [key, single === undefined ? conflicts.settle(`${path}.${key}`, was, mine, other) : single.value];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

type Choices = readonly ChoiceDefinition[] | null | undefined;

/** Choices unite by name; a choice that one side removed and the other changed is a conflict. */
function mergeChoices(
  path: string,
  base: Choices,
  ours: Choices,
  theirs: Choices,
  conflicts: Conflicts,
): Choices {
  const byName = (choices: Choices) => new Map(choices?.map(choice => [choice.name, choice]));
  const [before, mine, other] = [byName(base), byName(ours), byName(theirs)];
  const added = [...new Set([...mine.keys(), ...other.keys()])].filter(name => !before.has(name)).sort();
  return [...before.keys(), ...added].flatMap(name => {
    const [was, one, two] = [before.get(name), mine.get(name), other.get(name)];
    const at = `${path}.${name}`;
    const single = oneSided(was, one, two);
    if (single !== undefined) return single.value ?? [];
    if (one === undefined && was === undefined) return two ?? [];
    if (two === undefined && was === undefined) return one ?? [];
    if (one === undefined || two === undefined) return conflicts.settle(at, was, one, two) ?? [];
    return mergeChoice(at, was, one, two, conflicts);
  });
}

function mergeChoice(
  path: string,
  base: ChoiceDefinition | undefined,
  ours: ChoiceDefinition,
  theirs: ChoiceDefinition,
  conflicts: Conflicts,
): ChoiceDefinition {
  const properties = ['label', 'color', 'description'] as const;
  const defaults = {label: null, color: null, description: null};
  // Colours of new choices may have been picked by the service, each side for itself.
  const [mine, other] =
    base === undefined && !same(ours.color, theirs.color)
      ? [
          {...ours, color: lesser(ours.color, theirs.color)},
          {...theirs, color: lesser(ours.color, theirs.color)},
        ]
      : [ours, theirs];
  return mergeProperties(path, properties, defaults, base, mine, other, conflicts);
}

const lesser = (a: string, b: string): string => (a < b ? a : b);
