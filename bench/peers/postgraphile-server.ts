import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {join} from 'node:path';

/** PostGraphile as its manual sets it up for production, on the database of `DATABASE_URL`. */
const {PEER_FOLDER = '', DATABASE_URL = '', PEER_CONNECTIONS = ''} = process.env;
const require = createRequire(join(PEER_FOLDER, 'package.json'));

/* The packages are not there when this is type-checked: they are installed by the bench. */
const {postgraphile} = require('postgraphile');
const {PostGraphileAmberPreset} = require('postgraphile/presets/amber');
const {makePgService} = require('postgraphile/adaptors/pg');
const {grafserv} = require('postgraphile/grafserv/node');
const {PostGraphileConnectionFilterPreset} = require('postgraphile-plugin-connection-filter');

const server = createServer();
const instance = postgraphile({
  extends: [PostGraphileAmberPreset, PostGraphileConnectionFilterPreset],
  pgServices: [
    makePgService({
      connectionString: DATABASE_URL,
      schemas: ['public'],
      poolConfig: {max: Number(PEER_CONNECTIONS)},
    }),
  ],
  schema: {connectionFilterRelations: true},
  grafserv: {graphqlPath: '/graphql', graphiql: false, watch: false},
  grafast: {explain: false},
});
await instance.createServ(grafserv).addTo(server);
await instance.getSchema();
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') {
    console.log(`ready at http://127.0.0.1:${address.port}`);
  }
});
