import {describe, expect, test} from 'vitest';
import type {Json} from '../../base/json.ts';
import {convertValue} from './convert-value.ts';
import type {AttributeKind} from './kinds.ts';

describe('a value of one kind becomes one of another', () => {
  test.each<[AttributeKind, AttributeKind, Json, Json]>([
    ['Number', 'Text', 42, '42'],
    ['Number', 'Bandwidth', 42, 42],
    ['Boolean', 'Text', true, 'true'],
    ['Text', 'Number', '42', 42],
    ['Text', 'Number', '-7', -7],
    ['Text', 'Boolean', 'false', false],
    ['Text', 'TextArea', 'long', 'long'],
    ['Text', 'IPHost', '10.0.0.1', '10.0.0.1/32'],
    ['Text', 'MacAddress', '00:1a:2b:3c:4d:5e', '00-1A-2B-3C-4D-5E'],
    ['Text', 'DateTime', '2024-05-31', '2024-05-31T00:00:00Z'],
    ['IPHost', 'Text', '10.0.0.1/32', '10.0.0.1/32'],
    ['List', 'JSON', [1], [1]],
    ['List', 'TextArea', [1, 'a'], '[1,"a"]'],
    ['JSON', 'Text', {b: 1, a: 2}, '{"a":2,"b":1}'],
    ['Text', 'List', '[1]', [1]],
    ['Text', 'JSON', '{"a":1}', {a: 1}],
    ['Number', 'Any', 3, 3],
    ['Text', 'Number', null, null],
    ['HashedPassword', 'HashedPassword', '$hash', '$hash'],
  ])('%s to %s: %j is %j', (from, to, value, expected) => {
    expect(convertValue(from, to, value)).toEqual({ok: true, value: expected});
  });

  test.each<[AttributeKind, AttributeKind, Json]>([
    ['Text', 'Number', 'forty-two'],
    ['Text', 'Number', '1.5'],
    ['Text', 'Number', ''],
    ['Text', 'Number', '99999999999999999999'],
    ['Text', 'Boolean', 'yes'],
    ['Text', 'IPHost', 'host'],
    ['Text', 'List', '{"a":1}'],
    ['Text', 'JSON', '3'],
    ['Text', 'JSON', 'nope'],
    ['Number', 'Boolean', 1],
    ['Text', 'HashedPassword', 'secret'],
    ['HashedPassword', 'Text', '$hash'],
  ])('%s to %s: %j cannot', (from, to, value) => {
    expect(convertValue(from, to, value)).toMatchObject({ok: false});
  });
});
