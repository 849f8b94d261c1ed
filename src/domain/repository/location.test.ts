import {expect, test} from 'vitest';
import {parseLocation} from './location.ts';

test('a location is a folder or an address of a protocol that is meant', () => {
  expect(parseLocation('/srv/git/configs')).toEqual({is: 'folder', path: '/srv/git/configs'});
  expect(parseLocation('file:///srv/git/my%20configs')).toEqual({is: 'folder', path: '/srv/git/my configs'});
  for (const url of [
    'https://example.com/team/configs.git',
    'http://127.0.0.1:3000/configs',
    'https://robot@example.com/configs.git',
    'ssh://git@example.com:2222/team/configs.git',
    'git@example.com:team/configs.git',
  ]) {
    expect(parseLocation(url)).toEqual({is: 'address', url});
  }
});

test('options, helper programs, other protocols, relative paths and passwords are refused', () => {
  for (const text of [
    '',
    '-u/bin/sh',
    '--upload-pack=touch /tmp/x',
    'ext::sh -c "touch /tmp/x"',
    'fd::17',
    'ftp://example.com/x',
    'git://example.com/x',
    'relative/path',
    './here',
    'ssh://-oProxyCommand=touch/x',
    'https://',
    'https://example.com/x\n--upload-pack=y',
  ]) {
    expect(() => parseLocation(text), text).toThrow('is not the location of a repository');
  }
  expect(() => parseLocation('https://robot:secret@example.com/x')).toThrow('may not hold a password');
});
