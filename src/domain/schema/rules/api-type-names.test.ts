import {describe, expect, test} from 'vitest';
import {node, problemsOf, refusals} from '../test-support/load.ts';
import {apiTypeNames} from './api-type-names.ts';

const messages = (...nodes: readonly object[]) =>
  problemsOf(apiTypeNames, {nodes}).map(({path, message}) => [path, message]);

describe('names of types of the API', () => {
  test('ordinary kinds leave them free', () => {
    expect(messages(node('Device'), node('DeviceType'), node('Update'), node('CreateOrder'))).toEqual([]);
  });

  test('a kind is not called like a type of the service', () => {
    expect(messages({namespace: 'Page', name: 'Info'})).toEqual([
      [
        'PageInfo.name',
        'PageInfo would bring a second PageInfo to the API, which has one of its own; choose another name',
      ],
    ]);
    expect(messages({namespace: 'Text', name: 'Attribute'})[0]?.[0]).toBe('TextAttribute.name');
  });

  test.each([
    ['InfraDeviceCreate', node('DeviceCreate')],
    ['InfraDeviceMany', node('DeviceMany')],
    ['InfraDeviceUpsertInput', node('DeviceUpsertInput')],
    ['InfraDeviceWhere', node('DeviceWhere')],
    ['EdgedInfraDevice', {namespace: 'Edged', name: 'InfraDevice'}],
    ['NestedPaginatedInfraDevice', {namespace: 'Nested', name: 'PaginatedInfraDevice'}],
  ])('no kind is called %s beside InfraDevice', (kind, entry) => {
    expect(messages(node('Device'), entry)).toEqual([
      [`${kind}.name`, `${kind} and InfraDevice would both bring ${kind} to the API; choose another name`],
    ]);
    expect(messages(entry)).toEqual([]);
  });

  test('kinds of the service and profiles have such types too', () => {
    expect(messages({namespace: 'Edged', name: 'CoreAccount'})).toHaveLength(1);
    expect(messages(node('Device'), {namespace: 'Edged', name: 'ProfileInfraDevice'})).toHaveLength(1);
  });

  test('two kinds do not lead to one type between them', () => {
    expect(messages({namespace: 'Edged', name: 'InfraDevice'}, node('DeviceDelete'))).toEqual([
      [
        'EdgedInfraDevice.name',
        'EdgedInfraDevice and InfraDeviceDelete would both bring EdgedInfraDeviceDelete to the API; choose another name',
      ],
    ]);
  });

  test('a load is refused for it', () => {
    const problems = refusals({nodes: [{namespace: 'Page', name: 'Info'}]});
    expect(problems.map(({path}) => path)).toContain('PageInfo.name');
  });
});
