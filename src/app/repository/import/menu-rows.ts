import {isJsonObject, type JsonObject} from '../../../base/json.ts';
import {validationError} from '../../../domain/errors.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import {rowsOf} from '../../../domain/repository/object-file.ts';
import {findNode} from '../../node/find-node.ts';
import type {AttributeInput, RelatedInput} from '../../node/node-input.ts';
import {upsertNode} from '../../node/upsert-node.ts';
import type {WriteScope} from '../../write.ts';

const MENU_ITEM = 'CoreMenuItem';
const VALUES = [
  'label',
  'kind',
  'path',
  'description',
  'icon',
  'order_weight',
  'section',
  'required_permissions',
];

/** Makes or changes an entry of the menu, known by namespace and name, and those below it. */
export async function putMenuRow(
  scope: WriteScope,
  row: JsonObject,
  source: NodeId,
  parent?: NodeId,
): Promise<readonly NodeId[]> {
  const {namespace, name, children} = row;
  if (typeof namespace !== 'string' || typeof name !== 'string') {
    throw validationError('Every entry of a menu needs a namespace and a name');
  }
  const attributes: Record<string, AttributeInput> = {
    namespace: {value: namespace, source},
    name: {value: name, source},
  };
  for (const key of VALUES) {
    const value = row[key];
    if (value !== undefined) attributes[key] = {value, source};
  }
  const above: Record<string, RelatedInput> = parent === undefined ? {} : {parent: {id: parent}};
  const there = await findNode(scope.draft, scope.schema, MENU_ITEM, {hfid: [namespace, name]});
  const {node} = await upsertNode(scope, MENU_ITEM, {
    ...(there === undefined ? {} : {id: there.id}),
    attributes,
    relationships: above,
  });
  const ids: NodeId[] = [node.id];
  if (children === undefined || children === null) return ids;
  for (const child of rowsOf(isJsonObject(children) ? (children.data ?? null) : children, 'children')) {
    ids.push(...(await putMenuRow(scope, child, source, node.id)));
  }
  return ids;
}
