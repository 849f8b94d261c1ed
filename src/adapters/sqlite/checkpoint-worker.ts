import {statSync} from 'node:fs';
import {parentPort, workerData} from 'node:worker_threads';
import {Connection} from './connection.ts';
import {CLOSE} from './worker-close.ts';

const {path} = workerData as {readonly path: string};

/** Above this the log is cut back, which waits for readers; below it, it is only copied. */
const LOG_BYTES_MAX = 64 * 1024 * 1024;

const connection = new Connection(path, {readOnly: false});

parentPort?.on('message', (message: unknown) => {
  if (message === CLOSE) {
    connection.close();
    parentPort?.close();
    return;
  }
  try {
    const bytes = statSync(`${path}-wal`).size;
    connection.exec(
      bytes > LOG_BYTES_MAX ? 'PRAGMA wal_checkpoint(TRUNCATE)' : 'PRAGMA wal_checkpoint(PASSIVE)',
    );
  } catch {
    // Busy, or the disk failed: the log simply grows until the next turn, and the writer meets the disk itself.
  }
});
