import type {FastifyReply, FastifyRequest} from 'fastify';
import {COOKIES} from './credentials.ts';

export interface CookieSettings {
  readonly accessTokenLifetimeSeconds: number;
  readonly refreshTokenLifetimeSeconds: number;
  readonly publicUrl: string | undefined;
}

/** Puts the tokens of a session where a browser sends them back and no script can read them. */
export function setCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: CookieSettings,
  tokens: {readonly access: string; readonly refresh?: string},
): void {
  const {accessTokenLifetimeSeconds, refreshTokenLifetimeSeconds} = settings;
  const cookies = [cookie(request, settings, COOKIES.access, tokens.access, accessTokenLifetimeSeconds)];
  if (tokens.refresh !== undefined) {
    cookies.push(cookie(request, settings, COOKIES.refresh, tokens.refresh, refreshTokenLifetimeSeconds));
  }
  void reply.header('set-cookie', cookies);
}

export function clearCookies(request: FastifyRequest, reply: FastifyReply, settings: CookieSettings): void {
  void reply.header(
    'set-cookie',
    Object.values(COOKIES).map(name => cookie(request, settings, name, '', 0)),
  );
}

function cookie(
  request: FastifyRequest,
  {publicUrl}: CookieSettings,
  name: string,
  value: string,
  maxAge: number,
): string {
  const isSecure = request.protocol === 'https' || publicUrl?.startsWith('https:') === true;
  const text = `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax`;
  return isSecure ? `${text}; Secure` : text;
}
