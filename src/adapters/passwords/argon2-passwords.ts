import {randomBytes} from 'node:crypto';
import {hash, verify} from '@node-rs/argon2';
import type {Passwords} from '../../ports/passwords.ts';

const ARGON2ID = /^\$argon2id\$/;

/** Nobody's password, so that a wrong user name takes as long as a wrong password. */
let nobodys: Promise<string> | undefined;

/** Argon2id with the library's defaults; it works on threads of its own. */
export const argon2Passwords: Passwords = {
  hash: text => hash(text),
  async verify(text, stored) {
    nobodys ??= hash(randomBytes(32).toString('base64url'));
    const isOurs = ARGON2ID.test(stored);
    const matches = await verify(isOurs ? stored : await nobodys, text).catch(() => false);
    return isOurs && matches;
  },
};
