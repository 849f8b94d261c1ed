export type LogLevel = 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR' | 'CRITICAL';

export interface LogFacts {
  readonly durationMillis?: number;
  /** Written with its stack and causes. It stays in the log: no answer carries it. */
  readonly error?: unknown;
  readonly [key: string]: unknown;
}

/** Where the service says what it does. Writing a line never throws and never waits. */
export interface Log {
  debug(message: string, facts?: LogFacts): void;
  info(message: string, facts?: LogFacts): void;
  warning(message: string, facts?: LogFacts): void;
  error(message: string, facts?: LogFacts): void;
  critical(message: string, facts?: LogFacts): void;
  /** The same log under another logger name. */
  named(logger: string): Log;
  /** The same log, every line of it belonging to one request. */
  forRequest(requestId: string): Log;
}
