import {expect, test} from 'vitest';
import {planLoad} from './plan-load.ts';
import {node, type Root, sourceOf, text} from './test-support/load.ts';

const BASE = ['body', 'schemas'];
const plan = (root: Root | {version: number}, ...before: readonly Root[]) =>
  planLoad(sourceOf(...before), [{version: '1.0', ...root}], BASE);

const device: Root = {nodes: [node('Device', {attributes: [text('name')], display_labels: ['name__value']})]};

test('a load that changes something brings the schema it leads to', () => {
  const planned = plan(device);
  expect(planned).toMatchObject({is: 'changed', warnings: [{type: 'deprecation'}]});
  expect(planned.is === 'changed' && planned.schema.nodes.has('InfraDevice')).toBe(true);
});

test('a load of what is there changes nothing, and still warns', () => {
  expect(plan(device, device)).toMatchObject({is: 'unchanged', warnings: [{type: 'deprecation'}]});
});

test('a document that is malformed says where', () => {
  expect(plan({version: 1})).toMatchObject({
    is: 'refused',
    problems: [{loc: [...BASE, 0, 'version'], type: 'string_type'}],
  });
});

test('what is wrong with laying it on and with the result is told at once, each at its place', () => {
  const planned = plan({
    nodes: [
      node('Device', {id: 'nobody', relationships: [{name: 'site', peer: 'InfraNowhere'}]}),
      {namespace: 'Core', name: 'Thing'},
    ],
  });
  expect(planned.is === 'refused' && planned.problems.map(({loc}) => loc.join('.')).sort()).toEqual([
    'body.schemas.0.nodes.0.id',
    'body.schemas.0.nodes.0.relationships.0.peer',
    'body.schemas.0.nodes.1.namespace',
  ]);
});
