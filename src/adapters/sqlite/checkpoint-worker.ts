import {statSync} from 'node:fs';
import {parentPort, workerData} from 'node:worker_threads';
import {read} from '../sql/statement.ts';
import {Connection} from './connection.ts';
import {LOG_BYTES, logPath} from './log-file.ts';
import {CLOSE} from './worker-close.ts';

const {path} = workerData as {readonly path: string};

/** Above this the log is cut back; below it, it is only copied. */
const LOG_BYTES_MAX = 4 * LOG_BYTES;
const PAGE_BYTES = 4096;
/** To begin the log anew keeps writers out; behind a long write or a long read that has to wait. */
const BUSY_MILLIS = 20;

const connection = new Connection(path, {readOnly: false});
connection.exec(`PRAGMA busy_timeout = ${BUSY_MILLIS}`);

parentPort?.on('message', (message: unknown) => {
  if (message === CLOSE) {
    connection.close();
    parentPort?.close();
    return;
  }
  let isCutBack = false;
  try {
    isCutBack = checkpoint();
  } catch {
    // Busy, or the disk failed: the log simply grows until the next turn, and the writer meets the disk itself.
  }
  parentPort?.postMessage(isCutBack);
});

/**
 * Once everything is copied the next writer begins the log anew by itself; where somebody always writes, that never is. To
 * begin anew keeps writers out for as long as there is something left to copy, so what came meanwhile is copied first,
 * while they go on. True when the log's file is short again.
 */
function checkpoint(): boolean {
  const isLong = statSync(logPath(path)).size > LOG_BYTES_MAX;
  const pages = copied('PASSIVE');
  if (isLong) {
    copied('PASSIVE');
    copied('TRUNCATE');
    return true;
  }
  if (pages * PAGE_BYTES >= LOG_BYTES) {
    copied('PASSIVE');
    copied('RESTART');
  }
  return false;
}

/** Copies the log into the database; returns how many pages stand in it. */
function copied(mode: 'PASSIVE' | 'RESTART' | 'TRUNCATE'): number {
  const [row] = connection.run(read(`PRAGMA wal_checkpoint(${mode})`, []));
  return row![1] as number;
}
