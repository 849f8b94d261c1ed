import type {Job} from '../sql/job.ts';
import {change} from '../sql/statement.ts';
import type {Connection} from './connection.ts';

const WRITE = `INSERT INTO meta (key, value) VALUES ('write_probe', '1')
  ON CONFLICT (key) DO UPDATE SET value = CASE value WHEN '1' THEN '2' ELSE '1' END`;

/** A write that changes nothing anybody sees: it succeeds when writing does. */
export function writeProbe(writer: Connection): Job<void> {
  return {
    async run() {
      writer.run(change(WRITE, []));
      return {value: undefined};
    },
    undo() {},
  };
}
