import {expect, test} from 'vitest';
import {documentOf, node, text} from '../test-support/load.ts';
import {locate} from './locate.ts';

const BASE = ['body', 'schemas'];
const document = documentOf(
  {nodes: [node('Site')]},
  {
    nodes: [
      node('Device', {order_by: ['name__value'], attributes: [text('name'), text('role', {regex: 'a'})]}),
    ],
    extensions: {nodes: [{kind: 'CoreAccount', attributes: [text('phone')]}]},
  },
);

test.each([
  ['InfraDevice', [1, 'nodes', 0]],
  ['InfraDevice.order_by', [1, 'nodes', 0, 'order_by']],
  ['InfraDevice.icon', [1, 'nodes', 0]],
  ['InfraDevice.role', [1, 'nodes', 0, 'attributes', 1]],
  ['InfraDevice.role.kind', [1, 'nodes', 0, 'attributes', 1, 'kind']],
  ['CoreAccount.phone', [1, 'extensions', 'nodes', 0, 'attributes', 0]],
  ['InfraElsewhere.name', []],
])('%s is found in the request', (path, loc) => {
  expect(locate(document, path, BASE)).toEqual([...BASE, ...loc]);
});
