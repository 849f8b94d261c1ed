import {parentPort, workerData} from 'node:worker_threads';
import {must} from '../../base/assert.ts';
import {ServiceError, unavailable} from '../../domain/errors.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {BranchBook} from '../sql/branch-book.ts';
import {lastCommit} from '../sql/commit-log.ts';
import {documentCache} from '../sql/document-cache.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import {LayoutCache, queriesAt} from '../sql/graph-view.ts';
import {SchemaInstants} from '../sql/kind-records.ts';
import {Names} from '../sql/names.ts';
import {neighboursOf} from '../sql/neighbours.ts';
import {Views} from '../sql/views.ts';
import {Connection} from './connection.ts';
import {DEFAULT_SERIAL} from './data-file.ts';
import {answerTo, packAnswer} from './heavy-question.ts';
import {packNodes, packPage} from './page-codec.ts';
import type {ReadAnswer, ReadQuestion, ReadRequest, ReadStatement, ReadWorkerData} from './read-messages.ts';
import {sqliteDialect} from './sqlite-dialect.ts';
import {asServiceError} from './sqlite-error.ts';
import {CLOSE} from './worker-close.ts';

const DOCUMENTS_MAX = 100_000;

const {path, flag, isWatched} = workerData as ReadWorkerData;
const port = must(parentPort, 'the port of a worker');
const connection = new Connection(path, {readOnly: true});
connection.onStatement = () => {
  if (Atomics.load(flag, 0) !== 0) throw unavailable('Nobody waits for the answer any more.');
};
const names = connection.drive(Names.load());
const layouts = new LayoutCache();
const views = new Views();
const cache = documentCache(DOCUMENTS_MAX);
let readAt = -1;
let book: BranchBook;
let instants: SchemaInstants;

/** Branches and schema as the database has them now; read again only when they may have changed. */
function context(): GraphContext {
  const commit = connection.drive(lastCommit()) ?? 0;
  if (commit !== readAt) {
    book = connection.drive(BranchBook.load());
    instants = connection.drive(SchemaInstants.load());
  }
  readAt = commit;
  return {
    book,
    instants,
    names,
    layouts,
    views,
    dialect: sqliteDialect,
    cache,
    defaultBranch: DEFAULT_SERIAL,
  };
}

function contentOf(question: ReadQuestion): unknown {
  const here = context();
  if ('branch' in question && here.book.bySerial(question.branch) === undefined) {
    throw unavailable('The branch was deleted while it was read.');
  }
  const queries = (place: {readonly branch: number; readonly at: Instant}) =>
    connection.drive(queriesAt(here, place.branch, place.at));
  switch (question.is) {
    case 'query':
      return packPage(connection.drive(queries(question).run(question.query)));
    case 'nodes':
      return packNodes(connection.drive(queries(question).reader.nodesById(question.ids)).values());
    case 'neighbours': {
      const {reader} = queries(question);
      return connection.drive(neighboursOf(reader, question.id, question.relationship));
    }
    default:
      return packAnswer(question, connection.drive(answerTo(here, question)));
  }
}

function answer({id, question}: ReadRequest): ReadAnswer {
  if (isWatched) {
    connection.watch = ({sql, params}, millis) => {
      port.postMessage({id, is: 'ran', sql, params, millis} satisfies ReadStatement);
    };
  }
  try {
    return {id, is: 'answered', value: connection.reading(() => contentOf(question))};
  } catch (error) {
    const reason = asServiceError(error);
    return reason instanceof ServiceError
      ? {id, is: 'refused', code: reason.code, message: reason.message, facts: reason.facts}
      : {id, is: 'failed', message: reason.stack ?? reason.message};
  }
}

port.on('message', (request: ReadRequest | typeof CLOSE) => {
  if (request === CLOSE) {
    connection.close();
    port.close();
  } else {
    port.postMessage(answer(request));
  }
});
