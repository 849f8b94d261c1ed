import {join} from 'node:path';
import type {FastifyInstance, FastifyReply} from 'fastify';
import {inPackage, PageFiles, SCRIPT, STYLE} from '../pages/page-files.ts';
import {pageHeaders} from '../pages/page-policy.ts';

const FILES = new PageFiles('/api-static', {
  'swagger-ui.js': {type: SCRIPT, path: inPackage('swagger-ui-dist', 'swagger-ui-bundle.js')},
  'swagger-ui.css': {type: STYLE, path: inPackage('swagger-ui-dist', 'swagger-ui.css')},
  'redoc.js': {type: SCRIPT, path: inPackage('redoc', 'bundles/redoc.standalone.js'), edit: withoutLogo},
  'start-swagger.js': {type: SCRIPT, path: join(import.meta.dirname, 'start-swagger.js')},
  'start-redoc.js': {type: SCRIPT, path: join(import.meta.dirname, 'start-redoc.js')},
  'page.css': {type: STYLE, path: join(import.meta.dirname, 'page.css')},
});

/** ReDoc would fetch the logo of its makers from their servers. */
function withoutLogo(script: string): string {
  return script.replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,');
}

/** The document as JSON, and the two pages that show it. */
export function addApiDocs(server: FastifyInstance, document: object): void {
  const text = JSON.stringify(document);
  server.get('/api/openapi.json', async (_request, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(text),
  );
  server.get('/api/docs', async (_request, reply) =>
    sendPage(reply, 'Trellis API', [
      await FILES.style('swagger-ui.css'),
      await FILES.style('page.css'),
      await FILES.script('swagger-ui.js'),
      await FILES.module('start-swagger.js'),
    ]),
  );
  server.get('/api/redoc', async (_request, reply) =>
    sendPage(reply, 'Trellis API reference', [
      await FILES.style('page.css'),
      await FILES.script('redoc.js'),
      await FILES.module('start-redoc.js'),
    ]),
  );
  FILES.addTo(server);
}

function sendPage(reply: FastifyReply, title: string, head: readonly string[]): FastifyReply {
  return reply.headers(pageHeaders("worker-src 'self' blob:")).send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${head.join('\n')}
</head>
<body>
<div id="docs">Loading…</div>
</body>
</html>
`);
}
