import type {Json} from '../../base/json.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {createNode} from './create-node.ts';
import type {NodeInput} from './node-input.ts';
import {updateNode} from './update-node.ts';
import {input, type World} from './world-fixtures.ts';

type Values = Readonly<Record<string, Json>>;
type Related = NodeInput['relationships'];

export const add = (world: World, kind: string, values: Values, related: Related = {}): Promise<NodeRecord> =>
  world.write(scope => createNode(scope, kind, input(values, related)));

export const change = (
  world: World,
  node: NodeRecord,
  values: Values,
  related: Related = {},
): Promise<NodeRecord> =>
  world.write(scope => updateNode(scope, node.kind, input(values, related, {id: node.id})));

export const addSite = (world: World, name: string): Promise<NodeRecord> => add(world, 'InfraSite', {name});

export const addDevice = (
  world: World,
  name: string,
  site: NodeId,
  values: Values = {},
  related: Related = {},
): Promise<NodeRecord> =>
  add(world, 'InfraDevice', {name, vendor: 'acme', ...values}, {site: {id: site}, ...related});
