import {hash, verify} from '@node-rs/argon2';
import type {Passwords} from '../../ports/passwords.ts';

/** Argon2id with the library's defaults; it works on threads of its own. */
export const argon2Passwords: Passwords = {
  hash: text => hash(text),
  verify: (text, stored) => verify(stored, text),
};
