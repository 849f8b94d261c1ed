import {md5Hex} from '../../base/hash.ts';
import {canonicalJson, type Json} from '../../base/json.ts';
import {FULL_ACCESS} from '../../domain/access/access.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {isNodeId, type NodeId} from '../../domain/graph/node-id.ts';
import {isKindOf} from '../../domain/schema/lookup.ts';
import {createNode} from '../node/create-node.ts';
import {addPeers} from '../node/relate.ts';
import {updateNode} from '../node/update-node.ts';
import type {WriteScope} from '../write.ts';
import type {ReadSet} from './recorded-snapshot.ts';

export const QUERY_GROUP_KIND = 'CoreGraphQLQueryGroup';

export interface QueryGroupRequest {
  readonly query: {readonly id: NodeId; readonly name: string};
  readonly variables: Readonly<Record<string, Json>>;
  /** What the answer was made from. */
  readonly read: ReadSet;
  /** Objects that want to know when the answer may change; they are added to those that do already. */
  readonly subscribers: readonly string[];
}

const DIGEST_SHOWN = 8;

export const queryGroupName = (query: string, variables: Readonly<Record<string, Json>>): string =>
  `${query}__${md5Hex(canonicalJson(variables))}`;

/**
 * Keeps, as the members of a group, what one stored query read with these variables; there is one group for each of
 * both. The service keeps it for whoever runs the query: no right of theirs is asked for.
 */
export async function putQueryGroup(
  callerScope: WriteScope,
  {query, variables, read, subscribers}: QueryGroupRequest,
): Promise<NodeRecord> {
  const scope: WriteScope = {...callerScope, caller: {...callerScope.caller, access: FULL_ACCESS}};
  const name = queryGroupName(query.name, variables);
  const members = await nodesHere(scope, [...read.nodes]);
  const data = {
    attributes: {
      label: {value: `Query ${query.name} Hash(${name.slice(-32, -32 + DIGEST_SHOWN)})`},
      group_type: {value: 'internal'},
      parameters: {value: variables},
      // None is null, so that groups that leave room for others are found by having some.
      kinds: {value: read.kinds.size === 0 ? null : [...read.kinds].sort()},
    },
    relationships: {query: {id: query.id}, members: members.map(id => ({id}))},
  };
  const existing = await groupNamed(scope, name);
  const group =
    existing === undefined
      ? await createNode(scope, QUERY_GROUP_KIND, {
          ...data,
          attributes: {...data.attributes, name: {value: name}},
        })
      : await updateNode(scope, QUERY_GROUP_KIND, {...data, id: existing.id});
  const wanted = await nodesHere(scope, subscribers.map(text => text.toLowerCase()).filter(isNodeId));
  if (wanted.length > 0) {
    const peers = wanted.map(id => ({id}));
    await addPeers(scope, {id: group.id, relationship: 'subscribers', peers});
  }
  return group;
}

async function groupNamed({draft}: WriteScope, name: string): Promise<NodeRecord | undefined> {
  const {found} = await draft.query({
    kind: QUERY_GROUP_KIND,
    where: {is: 'attribute', attribute: 'name', property: 'value', test: {op: 'in', values: [name]}},
    page: {limit: 1, offset: 0},
  });
  return found[0]?.node;
}

/** Those that can be in a group: a reader of the past, or of what is not there, may name others. */
async function nodesHere({draft, schema}: WriteScope, ids: readonly NodeId[]): Promise<readonly NodeId[]> {
  const nodes = await draft.nodes(ids);
  return nodes.flatMap(node =>
    node !== undefined && isKindOf(schema, node.kind, 'CoreNode') ? node.id : [],
  );
}
