import {statSync} from 'node:fs';
import {parentPort, workerData} from 'node:worker_threads';
import {Connection} from './connection.ts';
import {CLOSE} from './worker-close.ts';

const {path} = workerData as {readonly path: string};

/** Above this the log is cut back; below it, it is only copied. */
const LOG_BYTES_MAX = 64 * 1024 * 1024;

const connection = new Connection(path, {readOnly: false});

parentPort?.on('message', (message: unknown) => {
  if (message === CLOSE) {
    connection.close();
    parentPort?.close();
    return;
  }
  try {
    const isLong = statSync(`${path}-wal`).size > LOG_BYTES_MAX;
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
    if (isLong) cutBack();
  } catch {
    // Busy, or the disk failed: the log simply grows until the next turn, and the writer meets the disk itself.
  }
  parentPort?.postMessage('done');
});

/**
 * Cutting the log back keeps writers out for as long as there is something left to copy, so what came meanwhile is
 * copied first, while they go on.
 */
function cutBack(): void {
  connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
