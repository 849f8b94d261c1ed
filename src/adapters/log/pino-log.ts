import {type DestinationStream, type Logger as PinoLogger, pino, stdSerializers} from 'pino';
import type {Clock} from '../../ports/clock.ts';
import type {Log, LogFacts, LogLevel} from '../../ports/log.ts';

/** Our level names, and pino's. */
const PINO_LEVEL = {
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warn',
  ERROR: 'error',
  CRITICAL: 'fatal',
} as const satisfies Record<LogLevel, string>;

const NAME_OF: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PINO_LEVEL).map(([ours, pinos]) => [pinos, ours]),
);

/** One JSON object per line: level, timestamp, logger, message, request_id, duration_ms, then the facts. */
export function createJsonLog(options: {
  readonly level: LogLevel;
  readonly clock: Clock;
  readonly to: DestinationStream;
}): Log {
  const write = pino(
    {
      level: PINO_LEVEL[options.level],
      base: null,
      formatters: {level: label => ({level: NAME_OF[label]})},
      timestamp: () => `,"timestamp":"${new Date(options.clock.nowMicros() / 1000).toISOString()}"`,
      serializers: {error: stdSerializers.errWithCause},
    },
    options.to,
  );
  return new PinoLog(write, 'trellis', null);
}

class PinoLog implements Log {
  readonly #write: PinoLogger;
  readonly #logger: string;
  readonly #requestId: string | null;

  constructor(write: PinoLogger, logger: string, requestId: string | null) {
    this.#write = write;
    this.#logger = logger;
    this.#requestId = requestId;
  }

  named(logger: string): Log {
    return new PinoLog(this.#write, logger, this.#requestId);
  }

  forRequest(requestId: string): Log {
    return new PinoLog(this.#write, this.#logger, requestId);
  }

  debug(message: string, facts?: LogFacts): void {
    this.#log('DEBUG', message, facts);
  }

  info(message: string, facts?: LogFacts): void {
    this.#log('INFO', message, facts);
  }

  warning(message: string, facts?: LogFacts): void {
    this.#log('WARNING', message, facts);
  }

  error(message: string, facts?: LogFacts): void {
    this.#log('ERROR', message, facts);
  }

  critical(message: string, facts?: LogFacts): void {
    this.#log('CRITICAL', message, facts);
  }

  #log(level: LogLevel, message: string, facts: LogFacts | undefined): void {
    const pinoLevel = PINO_LEVEL[level];
    if (this.#write.isLevelEnabled(pinoLevel)) this.#write[pinoLevel](this.#line(message, facts));
  }

  /** A fact can add to the line but not replace what every line has. */
  #line(message: string, facts: LogFacts | undefined): object {
    const line: Record<string, unknown> = {
      logger: this.#logger,
      message,
      request_id: this.#requestId,
      duration_ms: facts?.durationMillis === undefined ? null : roundMillis(facts.durationMillis),
    };
    for (const [key, value] of Object.entries(facts ?? {})) {
      if (key !== 'durationMillis' && !FIXED.has(key)) line[key] = value;
    }
    return line;
  }
}

const FIXED = new Set(['level', 'timestamp', 'logger', 'message', 'request_id', 'duration_ms']);

const roundMillis = (millis: number) => Math.round(millis * 1000) / 1000;
