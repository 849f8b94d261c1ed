import {expect, test} from 'vitest';
import {md5Hex, sha1Hex, uuidFromHash} from './hash.ts';

test('hashes are the well-known ones', () => {
  expect(md5Hex('abc')).toBe('900150983cd24fb0d6963f7d28e17f72');
  expect(sha1Hex('abc')).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
});

test('an id from a hash has the shape of a UUID and depends on the text alone', () => {
  const id = uuidFromHash('kind:InfraDevice:0');
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(uuidFromHash('kind:InfraDevice:0')).toBe(id);
  expect(uuidFromHash('kind:InfraDevice:1')).not.toBe(id);
});
