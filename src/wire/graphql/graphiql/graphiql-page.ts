import {join} from 'node:path';
import type {FastifyInstance, FastifyReply} from 'fastify';
import {inPackage, PageFiles, SCRIPT, STYLE} from '../../pages/page-files.ts';
import {pageHeaders} from '../../pages/page-policy.ts';

const FILES = new PageFiles('/graphiql', {
  'react.js': {type: SCRIPT, path: inPackage('react', 'umd/react.production.min.js')},
  'react-dom.js': {type: SCRIPT, path: inPackage('react-dom', 'umd/react-dom.production.min.js')},
  'graphiql.js': {type: SCRIPT, path: inPackage('graphiql', 'graphiql.min.js')},
  'graphiql.css': {type: STYLE, path: inPackage('graphiql', 'graphiql.min.css')},
  'start.js': {type: SCRIPT, path: join(import.meta.dirname, 'start.js')},
  'page.css': {type: STYLE, path: join(import.meta.dirname, 'page.css')},
});

export function addGraphiqlAssets(server: FastifyInstance): void {
  FILES.addTo(server);
}

/** GraphiQL, for a person with a browser. It asks the address that it was opened at. */
export async function sendGraphiql(reply: FastifyReply): Promise<FastifyReply> {
  return reply.headers(pageHeaders()).send(await page());
}

async function page(): Promise<string> {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL</title>
<link rel="icon" href="data:,">
${await FILES.style('graphiql.css')}
${await FILES.style('page.css')}
${await FILES.script('react.js')}
${await FILES.script('react-dom.js')}
${await FILES.script('graphiql.js')}
${await FILES.module('start.js')}
</head>
<body>
<div id="graphiql">Loading…</div>
</body>
</html>
`;
}
