import type {Json} from '../../base/json.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Condition, Test} from '../../domain/query/node-query.ts';
import type {World} from './world.ts';

export const on = (attribute: string, test: Test, property = 'value'): Condition => ({
  is: 'attribute',
  attribute,
  property,
  test,
});
export const is = (attribute: string, ...values: Json[]): Condition => on(attribute, {op: 'in', values});
export const not = (of: Condition): Condition => ({is: 'not', of});
export const all = (...of: Condition[]): Condition => ({is: 'all', of});
export const any = (...of: Condition[]): Condition => ({is: 'any', of});
export const related = (relationship: string, where?: Condition, transitive?: number): Condition => ({
  is: 'related',
  relationship,
  ...(where === undefined ? {} : {where}),
  ...(transitive === undefined ? {} : {transitive}),
});

export const devices = (world: World, where: Condition) => world.list({kind: 'TestDevice', where});

/** a and b are leaves, c a spine, d nothing in particular. */
export async function fourDevices(world: World): Promise<readonly NodeId[]> {
  const rows: readonly Readonly<Record<string, Json>>[] = [
    {name: 'a', role: 'leaf', status: 'Up', position: 1, weight: 10, enabled: true, address: '10.0.0.1/24'},
    {
      name: 'b',
      role: 'leaf',
      status: 'up and running',
      position: 2,
      weight: -5,
      enabled: false,
      address: '10.0.0.10/24',
    },
    {name: 'c', role: 'spine', status: 'down', position: 10, weight: 100, address: '2001:db8::1/64'},
    {name: 'd', installed: '2026-03-01T00:00:00Z'},
  ];
  const ids: NodeId[] = [];
  for (const row of rows) ids.push(await world.create('TestDevice', row));
  return ids;
}
