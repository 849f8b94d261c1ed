import {sameJson} from '../../base/json.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {AttributeSchema} from '../../domain/schema/schema.ts';
import {computeValues} from '../node/compute-values.ts';
import {NodeWork, type Placed} from '../node/node-work.ts';
import type {WriteScope} from '../write.ts';
import type {KindPair} from './survey/look.ts';
import {Look} from './survey/look.ts';
import type {Survey} from './survey/survey.ts';

const OBJECTS_PER_STEP = 1_000;

/**
 * Renders what a change of schema has made stale: attributes that are computed anew or in another way, and those
 * that read a value which the change has rewritten. The scope is that of the new schema.
 */
export async function recompute(scope: WriteScope, survey: Survey): Promise<void> {
  for (const kind of await kindsToRender(survey.look)) {
    const ids: NodeId[] = [];
    const objects = new Look(scope.draft, scope.schema, scope.schema, []).objects(kind);
    for await (const {node} of objects) ids.push(node.id);
    await inSteps(scope, ids, (work, id) => work.made.set(id, kind));
  }
  await inSteps(scope, await rewritten(scope, survey), (work, {placed, names}) =>
    work.touchValues(placed, names),
  );
}

async function inSteps<T>(
  scope: WriteScope,
  items: readonly T[],
  note: (work: NodeWork, item: T) => unknown,
): Promise<void> {
  for (let from = 0; from < items.length; from += OBJECTS_PER_STEP) {
    const work = new NodeWork(scope);
    for (const item of items.slice(from, from + OBJECTS_PER_STEP)) note(work, item);
    await computeValues(work);
  }
}

async function kindsToRender(look: Look): Promise<readonly string[]> {
  const kinds: string[] = [];
  for (const {kind, attributes} of look.after.nodes.values()) {
    const pair = look.pair(kind);
    if (pair === undefined || !attributes.some(attribute => isComputedAnew(look, pair, attribute))) continue;
    if (await look.isInhabited(pair.before.kind)) kinds.push(kind);
  }
  return kinds;
}

function isComputedAnew(look: Look, pair: KindPair, attribute: AttributeSchema): boolean {
  if (attribute.computed_attribute?.kind !== 'Jinja2') return false;
  const now = look.attributeNow(pair, attribute)?.computed_attribute ?? null;
  return !sameJson(now, attribute.computed_attribute);
}

async function rewritten(
  {draft}: WriteScope,
  {writes}: Survey,
): Promise<readonly {readonly placed: Placed; readonly names: ReadonlySet<string>}[]> {
  const byNode = new Map<NodeId, Set<string>>();
  for (const {id, attribute} of writes) byNode.set(id, (byNode.get(id) ?? new Set()).add(attribute));
  const nodes = await draft.nodes([...byNode.keys()]);
  return nodes.flatMap(node => {
    const names = node === undefined ? undefined : byNode.get(node.id);
    return node === undefined || names === undefined ? [] : {placed: {id: node.id, kind: node.kind}, names};
  });
}
