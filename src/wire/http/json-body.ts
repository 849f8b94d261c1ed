import type {FastifyInstance} from 'fastify';
import {HttpProblem} from './problem.ts';

/** JSON bodies; an empty one is no body, whatever its content type promises. */
export function acceptJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  // What is named by its whole type is found sooner than what fits a pattern.
  for (const type of ['application/json', /^application\/(?:[\w.-]+\+)?json\b/]) {
    server.addContentTypeParser(type, {parseAs: 'string'}, (_request, text, done) => {
      if (text.length === 0) return done(null, undefined);
      try {
        done(null, parseJson(text.toString()));
      } catch (error) {
        done(new HttpProblem(400, 'Request body is not valid JSON', {cause: error}));
      }
    });
  }
}

/** Keys that would reach an object's prototype are dropped, as no JSON document means them. */
function parseJson(text: string): unknown {
  if (!text.includes('__proto__')) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
}
