import {expect, test} from 'vitest';
import {node, schemaOf, text} from './test-support/load.ts';

const device = (rest: object = {}, attribute: object = {}) =>
  schemaOf({nodes: [node('Device', {attributes: [text('name', attribute)], ...rest})]}).hash;

test('the order of keys and of fields with weights plays no part', () => {
  const one = {namespace: 'Infra', name: 'Device', label: 'Box'};
  const other = {label: 'Box', name: 'Device', namespace: 'Infra'};
  expect(schemaOf({nodes: [one]}).hash).toBe(schemaOf({nodes: [other]}).hash);
  const fields = [text('name', {order_weight: 1}), text('role', {order_weight: 2})];
  expect(device({attributes: fields})).toBe(device({attributes: fields.toReversed()}));
});

test('ids play no part', () => {
  const root = {nodes: [node('Device', {attributes: [text('name')]})]};
  const gone = {nodes: [node('Device', {state: 'absent'})]};
  expect(schemaOf(root, gone, root).hash).toBe(schemaOf(root).hash);
});

test('the way to a schema plays no part', () => {
  const tag = {relationships: [{name: 'tags', peer: 'BuiltinTag'}]};
  expect(schemaOf({nodes: [node('Device', tag)]}, {nodes: [node('Device', {label: 'Box'})]}).hash).toBe(
    device({...tag, attributes: [], label: 'Box'}),
  );
});

test.each([
  ['a label', device({label: 'Box'})],
  ['a flag of an attribute', device({}, {optional: true})],
  ['a parameter', device({}, {regex: '^a'})],
  ['a default', device({}, {default_value: 'a'})],
  ['a description', device({}, {description: 'Its name'})],
  ['an order', device({order_by: ['name__value']})],
  ['another field', device({relationships: [{name: 'tags', peer: 'BuiltinTag'}]})],
])('%s changes the hash', (_, hash) => {
  expect(hash).not.toBe(device());
});

test('the hash of a kind changes with it, and others stay', () => {
  const before = schemaOf({nodes: [node('Device'), node('Site')]});
  const after = schemaOf({nodes: [node('Device', {label: 'Box'}), node('Site')]});
  expect(after.nodes.get('InfraDevice')?.hash).not.toBe(before.nodes.get('InfraDevice')?.hash);
  expect(after.profiles.get('ProfileInfraDevice')?.hash).not.toBe(
    before.profiles.get('ProfileInfraDevice')?.hash,
  );
  expect(after.nodes.get('InfraSite')?.hash).toBe(before.nodes.get('InfraSite')?.hash);
});
