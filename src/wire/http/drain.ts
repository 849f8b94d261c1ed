import type {FastifyInstance} from 'fastify';

/**
 * Once the server is closing, each answer is the last one on its connection, so that no idle caller holds up the stop.
 * The answer tells whether it is.
 */
export function endConnectionsOnClose(server: FastifyInstance): () => boolean {
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done();
  });
  return () => closing;
}
