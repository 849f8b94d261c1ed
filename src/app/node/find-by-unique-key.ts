import {pathValue} from '../../domain/attribute/parts.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {storedForm} from '../../domain/node/stored-form.ts';
import type {Condition} from '../../domain/query/node-query.ts';
import type {AttributeSchema, ConcreteSchema, RelationshipSchema} from '../../domain/schema/schema.ts';
import {findNode} from './find-node.ts';
import type {NodeInput} from './node-input.ts';
import type {NodeWork} from './node-work.ts';
import {listOf} from './related-input.ts';

/** The object that holds a unique key of the data, whichever constraint the data can answer first. */
export async function findByUniqueKey(
  work: NodeWork,
  kindName: string,
  input: NodeInput,
): Promise<NodeRecord | undefined> {
  const {kind} = work.facts.kind(kindName);
  for (const {paths} of kind.uniqueness) {
    const conditions = await keyConditions(work, kind, paths, input);
    if (conditions === undefined) continue;
    const {found} = await work.draft.query({
      kind: kindName,
      where: {is: 'all', of: conditions},
      page: {limit: 1, offset: 0},
    });
    if (found[0] !== undefined) return found[0].node;
  }
  return undefined;
}

/** A condition for each part of the key; `undefined` when the data leaves a part open. */
async function keyConditions(
  work: NodeWork,
  kind: ConcreteSchema,
  paths: readonly string[],
  input: NodeInput,
): Promise<readonly Condition[] | undefined> {
  const conditions: Condition[] = [];
  for (const path of paths) {
    const [name = '', property = 'value'] = path.split('__');
    const field = kind.fields.get(name);
    if (field === undefined) return undefined;
    const condition =
      field.is === 'attribute'
        ? attributeCondition(field, property, input)
        : await peerCondition(work, field, input);
    if (condition === undefined) return undefined;
    conditions.push(condition);
  }
  return conditions;
}

function attributeCondition(
  attribute: AttributeSchema,
  property: string,
  input: NodeInput,
): Condition | undefined {
  const {name, kind} = attribute;
  const given = input.attributes[name]?.value;
  const chosen = given === undefined ? attribute.default_value : given;
  const stored = chosen === null ? undefined : storedForm(kind, chosen);
  if (stored === undefined) return undefined;
  const value = pathValue(kind, property, stored);
  return {is: 'attribute', attribute: name, property, test: {op: 'in', values: [value]}};
}

async function peerCondition(
  work: NodeWork,
  relationship: RelationshipSchema,
  input: NodeInput,
): Promise<Condition | undefined> {
  const [related] = listOf(input.relationships[relationship.name] ?? null);
  if (related === undefined || related.data !== undefined) return undefined;
  if (related.id === undefined && related.hfid === undefined) return undefined;
  const peer = await findNode(work.draft, work.schema, related.kind ?? relationship.peer, related);
  if (peer === undefined) return undefined;
  return {is: 'related', relationship: relationship.name, where: {is: 'id', in: [peer.id]}};
}
