import {constants, gzip} from 'node:zlib';
import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import {COMPRESSED_BYTES_MIN} from './limits.ts';

const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|javascript|xml|yaml)\b|image\/svg\+xml)/;
const LEVEL = constants.Z_BEST_SPEED;

/**
 * Large answers that are text go compressed to those who take it. The work is done by other threads. What is sent in
 * pieces, and what is small, goes as it is.
 */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!isLarge(payload) || !isText(reply)) return done(null, payload);
    void reply.header('vary', varyWith(reply));
    if (request.method === 'HEAD' || !acceptsGzip(request)) return done(null, payload);
    gzip(payload, {level: LEVEL}, (error, compressed) => {
      if (error !== null) return done(error);
      void reply.header('content-encoding', 'gzip').removeHeader('content-length');
      const etag = reply.getHeader('etag');
      // Other bytes for the same content: the tag no longer stands for each byte.
      if (typeof etag === 'string' && !etag.startsWith('W/')) void reply.header('etag', `W/${etag}`);
      done(null, compressed);
    });
  });
}

const isLarge = (payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= COMPRESSED_BYTES_MIN;

const isText = (reply: FastifyReply): boolean =>
  reply.getHeader('content-encoding') === undefined &&
  TEXT.test(String(reply.getHeader('content-type') ?? ''));

/** CORS speaks of its own reasons to vary. */
function varyWith(reply: FastifyReply): string {
  const known = reply.getHeader('vary');
  return known === undefined ? 'accept-encoding' : `${String(known)}, accept-encoding`;
}

/** A weight of zero is a refusal. */
function acceptsGzip({headers}: FastifyRequest): boolean {
  const given = headers['accept-encoding'];
  const parts = (Array.isArray(given) ? given.join() : (given ?? '')).toLowerCase().split(',');
  return parts.some(part => {
    const [name, ...rest] = part.split(';').map(word => word.trim());
    const weight = rest.find(word => word.startsWith('q='));
    return (name === 'gzip' || name === '*') && (weight === undefined || Number(weight.slice(2)) > 0);
  });
}
