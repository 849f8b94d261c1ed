import {parentPort, workerData} from 'node:worker_threads';
import {must} from '../../base/assert.ts';
import {ServiceError, unavailable} from '../../domain/errors.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {CommitFollower} from '../sql/commit-follower.ts';
import {documentCache} from '../sql/document-cache.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import {LayoutCache, queriesAt} from '../sql/graph-view.ts';
import {neighboursOf} from '../sql/neighbours.ts';
import {stageFacts} from '../sql/stage.ts';
import {Connection} from './connection.ts';
import {DEFAULT_SERIAL} from './data-file.ts';
import {answerTo, packAnswer} from './heavy-question.ts';
import {type PackedPage, packNodes, packPage, SentVersions} from './page-codec.ts';
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
const sent = new SentVersions(DOCUMENTS_MAX);
const follower = connection.reading(() =>
  connection.drive(
    CommitFollower.load(
      {
        layouts: new LayoutCache(),
        dialect: sqliteDialect,
        cache: documentCache(DOCUMENTS_MAX),
        defaultBranch: DEFAULT_SERIAL,
      },
      0 as Instant,
    ),
  ),
);

/** Branches and schema as the database has them now; only what was committed since the last question is read. */
function context(): GraphContext {
  if (connection.run(follower.probe()).length > 0) connection.drive(follower.catchUp());
  const stage = connection.drive(stageFacts());
  const {book} = follower.context;
  if (stage !== undefined) for (const branch of [stage.branch, stage.held]) book.moveHead(branch, stage.at);
  return follower.context;
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
      return packPage(
        connection.drive(queries(question).run(question.query)),
        question.isWhole ? undefined : sent,
      );
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

/** What need not be copied, since this thread has no more use for it. */
function handedOver({question}: ReadRequest, made: ReadAnswer): ArrayBuffer[] {
  if (question.is !== 'query' || made.is !== 'answered') return [];
  return [(made.value as PackedPage).numbers.buffer];
}

port.on('message', (request: ReadRequest | typeof CLOSE) => {
  if (request === CLOSE) {
    connection.close();
    port.close();
  } else {
    const made = answer(request);
    port.postMessage(made, handedOver(request, made));
  }
});
