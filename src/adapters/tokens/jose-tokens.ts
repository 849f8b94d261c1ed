import {CompactSign, compactVerify} from 'jose';
import {BoundedMap} from '../../base/bounded-map.ts';
import type {SessionTokens} from '../../ports/session-tokens.ts';

const ALGORITHM = 'HS256';
const TOKEN_CHARACTERS_MAX = 4096;
const PARTS = /^[\w-]+\.[\w-]+\.([\w-]+)$/;
const RECENT_MAX = 10_000;

/** JSON Web Tokens signed with one secret. Texts read once are remembered: a session sends the same one many times. */
export function joseTokens(secret: string): SessionTokens {
  const key = new TextEncoder().encode(secret);
  const recent = new BoundedMap<string, unknown>(RECENT_MAX);
  return {
    sign: claims =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
        .setProtectedHeader({alg: ALGORITHM, typ: 'JWT'})
        .sign(key),
    async read(text) {
      if (text.length > TOKEN_CHARACTERS_MAX || !isPlain(text)) return undefined;
      const known = recent.get(text);
      if (known !== undefined) return known;
      const payload = await verified(text, key);
      if (payload === undefined) return undefined;
      recent.set(text, payload);
      return payload;
    },
  };
}

/** Base64 lets a reader overlook blanks and bits of the last letter: a token that was touched is not ours. */
function isPlain(text: string): boolean {
  const mark = PARTS.exec(text)?.[1];
  return mark !== undefined && Buffer.from(mark, 'base64url').toString('base64url') === mark;
}

async function verified(text: string, key: Uint8Array): Promise<unknown> {
  try {
    const {payload} = await compactVerify(text, key, {algorithms: [ALGORITHM]});
    return JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(payload)) ?? undefined;
  } catch {
    return undefined;
  }
}
