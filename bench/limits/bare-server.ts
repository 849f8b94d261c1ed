import Fastify from 'fastify';

/** Answers every POST with as many bytes of JSON as the path says: what a server costs that does nothing else. */
const server = Fastify();
const texts = new Map<string, string>();

server.post('/:bytes', (request, reply) => {
  const {bytes} = request.params as {readonly bytes: string};
  const text = texts.get(bytes) ?? JSON.stringify({data: 'x'.repeat(Math.max(0, Number(bytes) - 11))});
  texts.set(bytes, text);
  return reply.header('content-type', 'application/json; charset=utf-8').send(text);
});

console.log(`ready at ${await server.listen({port: 0, host: '127.0.0.1'})}`);
