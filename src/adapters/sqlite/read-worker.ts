import {parentPort, workerData} from 'node:worker_threads';
import {must} from '../../base/assert.ts';
import {ServiceError} from '../../domain/errors.ts';
import {BranchBook} from '../sql/branch-book.ts';
import {documentCache} from '../sql/document-cache.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import {LayoutCache, queriesAt} from '../sql/graph-view.ts';
import {SchemaInstants} from '../sql/kind-records.ts';
import {Names} from '../sql/names.ts';
import {read} from '../sql/statement.ts';
import {Connection} from './connection.ts';
import {packPage} from './page-codec.ts';
import type {ReadAnswer, ReadRequest} from './read-messages.ts';
import {sqliteDialect} from './sqlite-dialect.ts';
import {asServiceError} from './sqlite-error.ts';

const DOCUMENTS_MAX = 100_000;

const {path} = workerData as {readonly path: string};
const port = must(parentPort, 'the port of a worker');
const connection = new Connection(path, {readOnly: true});
const names = connection.drive(Names.load());
const layouts = new LayoutCache();
const cache = documentCache(DOCUMENTS_MAX);
let lastCommit = -1;
let book: BranchBook;
let instants: SchemaInstants;

/** Branches and schema as the database has them now; read again only when they may have changed. */
function contextFor(request: ReadRequest): GraphContext {
  const commit = Number(connection.run(read('SELECT max(ts) FROM commits', []))[0]![0] ?? 0);
  if (commit !== lastCommit) {
    book = connection.drive(BranchBook.load());
    instants = connection.drive(SchemaInstants.load());
  }
  lastCommit = commit;
  return {
    book,
    instants,
    names,
    layouts,
    dialect: sqliteDialect,
    cache,
    defaultBranch: request.defaultBranch,
  };
}

function answer(request: ReadRequest): ReadAnswer {
  try {
    const page = connection.reading(() => {
      const queries = connection.drive(queriesAt(contextFor(request), request.branch, request.at));
      return connection.drive(queries.run(request.query));
    });
    return {id: request.id, is: 'page', page: packPage(page)};
  } catch (error) {
    const reason = asServiceError(error);
    return reason instanceof ServiceError
      ? {id: request.id, is: 'refused', code: reason.code, message: reason.message, facts: reason.facts}
      : {id: request.id, is: 'failed', message: reason.stack ?? reason.message};
  }
}

port.on('message', (request: ReadRequest) => port.postMessage(answer(request)));
