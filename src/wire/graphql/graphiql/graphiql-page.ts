import type {FastifyInstance, FastifyReply} from 'fastify';
import {isKnown} from '../../rest/etag.ts';
import {ASSET_NAMES, type AssetName, asset} from './assets.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The page runs what this server serves and nothing else. Its dialogs write style elements. */
const SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** The scripts and styles of the page. They are the same for everybody, so nobody is asked who they are. */
export function addGraphiqlAssets(server: FastifyInstance): void {
  for (const name of ASSET_NAMES) {
    server.get(`/graphiql/${name}`, async (request, reply) => {
      const {type, text, tag} = await asset(name);
      const etag = `"${tag}"`;
      void reply.header('etag', etag).header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.header('content-type', type).header('x-content-type-options', 'nosniff').send(text);
    });
  }
}

/** GraphiQL, for a person with a browser. It asks the address that it was opened at. */
export async function sendGraphiql(reply: FastifyReply): Promise<FastifyReply> {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', SECURITY_POLICY)
    .header('cache-control', 'no-cache')
    .send(await page());
}

async function page(): Promise<string> {
  const style = async (name: AssetName) => `<link rel="stylesheet" href="${await addressOf(name)}">`;
  const script = async (name: AssetName) => `<script defer src="${await addressOf(name)}"></script>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL</title>
<link rel="icon" href="data:,">
${await style('graphiql.css')}
${await style('page.css')}
${await script('react.js')}
${await script('react-dom.js')}
${await script('graphiql.js')}
<script type="module" src="${await addressOf('start.js')}"></script>
</head>
<body>
<div id="graphiql">Loading…</div>
</body>
</html>
`;
}

/** The tag in it lets a browser keep the file for good and still see the next one. */
async function addressOf(name: AssetName): Promise<string> {
  return `/graphiql/${name}?${(await asset(name)).tag}`;
}
