import {type DestinationStream, destination} from 'pino';
import {readableLine} from './readable-lines.ts';

/** Readable lines on a terminal, JSON everywhere else. Each line is written before the call returns. */
export function logDestination(stream: {readonly fd: number; readonly isTTY?: boolean}): DestinationStream {
  const file = destination({dest: stream.fd, sync: true});
  if (!stream.isTTY) return file;
  return {
    write(line: string) {
      file.write(readableLine(line));
    },
  };
}
