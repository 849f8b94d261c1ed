import {expect, test} from 'vitest';
import {argon2Passwords} from './argon2-passwords.ts';

test('a password is stored as a salted argon2id hash and known again', async () => {
  const [one, two] = await Promise.all([argon2Passwords.hash('hunter22'), argon2Passwords.hash('hunter22')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$/);
  expect(one).not.toBe(two);
  expect(await argon2Passwords.verify('hunter22', one)).toBe(true);
  expect(await argon2Passwords.verify('hunter2', one)).toBe(false);
});

test('a hash that no password has is refused without a fault', async () => {
  for (const stored of ['', '!', '$2b$12$abc', '$argon2i$v=19$m=16,t=2,p=1$c2FsdHNhbHQ$aGFzaA']) {
    expect(await argon2Passwords.verify('x', stored)).toBe(false);
  }
});
