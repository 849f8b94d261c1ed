import {type Json, sameJson} from '../../../base/json.ts';
import {convertValue} from '../../attribute/convert-value.ts';
import type {AttributeKind} from '../../attribute/kinds.ts';
import {effectiveAttributes, genericsOf} from '../lookup-definitions.ts';
import type {AttributeDefinition, KindDefinition, NodeDefinition} from '../source.ts';
import {storedDefault} from '../stored-default.ts';

type Kinds = ReadonlyMap<string, KindDefinition>;

/**
 * Notes on each node which of its attributes joined it after its birth. A node born with this change has
 * none; one that was there before counts every attribute that it did not show then.
 */
export function noteLateAttributes(before: Kinds, after: Map<string, KindDefinition>): void {
  const nodesBefore = new Map([...before.values()].map(kind => [kind.id, kind]));
  const unchanged = new Set(
    [...after].filter(([name, kind]) => before.get(name) === kind).map(([name]) => name),
  );
  for (const [name, node] of after) {
    if (node.type !== 'node') continue;
    const was = nodesBefore.get(node.id);
    if (was?.type !== 'node') continue;
    if (unchanged.has(name) && node.inherit_from.every(generic => unchanged.has(generic))) continue;
    const late = lateAttributes(before, was, after, node);
    if (!sameJson(late, was.late)) after.set(name, {...node, late});
  }
}

/** By id: the attributes of a node that objects written under an earlier form of it lack, and what they show. */
export function lateAttributes(
  before: Kinds,
  was: NodeDefinition,
  after: Kinds,
  node: NodeDefinition,
): NodeDefinition['late'] {
  const late: Record<string, Json> = {};
  const attributesBefore = effectiveAttributes(before, was);
  const kindsBefore = new Map(attributesBefore.map(attribute => [attribute.id, attribute.kind]));
  for (const attribute of effectiveAttributes(after, node)) {
    const moved = kindsBefore.has(attribute.id)
      ? undefined
      : hiddenTwin(attribute, attributesBefore, after, node);
    const id = moved?.id ?? attribute.id;
    if (Object.hasOwn(was.late, id)) {
      late[attribute.id] = converted(kindsBefore.get(id) ?? attribute.kind, attribute, was.late[id] ?? null);
    } else if (!kindsBefore.has(id)) late[attribute.id] = storedDefault(attribute);
  }
  return late;
}

/** A late value follows a change of kind as stored values do; one that cannot is given up. */
function converted(from: AttributeKind, attribute: AttributeDefinition, value: Json): Json {
  const checked = convertValue(from, attribute.kind, value);
  return checked.ok ? checked.value : null;
}

/**
 * The attribute of the same name that the node showed before and that an earlier generic in the list now
 * hides: its values move to the new one, so that the order of generics never loses data.
 */
function hiddenTwin(
  attribute: AttributeDefinition,
  attributesBefore: readonly AttributeDefinition[],
  after: Kinds,
  node: NodeDefinition,
): AttributeDefinition | undefined {
  const twin = attributesBefore.find(each => each.name === attribute.name);
  if (twin === undefined) return undefined;
  const isStillThere = genericsOf(after, node).some(generic =>
    generic.attributes.some(({id}) => id === twin.id),
  );
  return isStillThere ? twin : undefined;
}
