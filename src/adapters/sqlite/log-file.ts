import {open} from 'node:fs/promises';

/** How long the log's file is kept: what is written between two checkpoints, and while one runs. */
export const LOG_BYTES = 16 * 1024 * 1024;

const PIECE = new Uint8Array(2 * 1024 * 1024);

export const logPath = (database: string): string => `${database}-wal`;

/**
 * Gives the log's file its length. A commit that makes a file longer waits for the file system's own journal too, which
 * takes as long again as the commit. The engine takes zeros for what they are: nothing was written there. They are added
 * at the end of the file, wherever that is by then, so that nobody's bytes are overwritten while others write.
 */
export async function lengthenLog(database: string): Promise<void> {
  const file = await open(logPath(database), 'a');
  try {
    for (let {size} = await file.stat(); size < LOG_BYTES; size += PIECE.length) {
      await file.write(PIECE);
      await file.datasync();
    }
  } finally {
    await file.close();
  }
}
