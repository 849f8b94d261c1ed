import {expect, test} from 'vitest';
import {pathInRepository} from './file-path.ts';
import {resolveLinks} from './resolve-links.ts';

test('links lead where a file system would lead, and never out of the repository', () => {
  const links = new Map([
    ['near', 'a/file'],
    ['a/up', '../b/other'],
    ['chain', 'near'],
    ['folder', 'a'],
    ['through', 'folder/file'],
    ['out', '../secret'],
    ['absolute', '/etc/passwd'],
    ['chained-out', 'out'],
    ['round', 'trip'],
    ['trip', 'round'],
    ['nowhere', 'a/missing'],
    ['a/own', '.'],
  ]);
  const files = new Set(['a/file', 'b/other']);
  expect(Object.fromEntries(resolveLinks({files, links}))).toEqual({
    near: 'a/file',
    'a/up': 'b/other',
    chain: 'a/file',
    folder: 'a',
    through: 'a/file',
  });
});

test('a path inside a repository has no steps back out of it', () => {
  expect(pathInRepository('a/./b//c/../d')).toBe('a/b/d');
  expect(pathInRepository('')).toBe('');
  for (const path of ['..', 'a/../..', '/a', 'a\0b']) expect(pathInRepository(path)).toBe(undefined);
});
