import type {Log} from '../../src/ports/log.ts';

/** Lines that nobody reads cost nothing. */
export const SILENT: Log = {
  debug() {},
  info() {},
  warning() {},
  error() {},
  critical() {},
  named: () => SILENT,
  forRequest: () => SILENT,
};
