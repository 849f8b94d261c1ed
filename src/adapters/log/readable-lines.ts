const COLOURS: Readonly<Record<string, string>> = {
  DEBUG: '\u001b[90m',
  INFO: '\u001b[32m',
  WARNING: '\u001b[33m',
  ERROR: '\u001b[31m',
  CRITICAL: '\u001b[41m',
};
const RESET = '\u001b[0m';

interface Line {
  readonly level: string;
  readonly timestamp: string;
  readonly logger: string;
  readonly message: string;
  readonly request_id: string | null;
  readonly duration_ms: number | null;
  readonly error?: {readonly stack: string};
  readonly [fact: string]: unknown;
}

/** A JSON log line as a person at a terminal wants to read it. */
export function readableLine(line: string): string {
  const {level, timestamp, logger, message, request_id, duration_ms, error, ...facts} = JSON.parse(
    line,
  ) as Line;
  const parts = [
    timestamp.slice(11, 23),
    `${COLOURS[level] ?? ''}${level.padEnd(8)}${RESET}`,
    `${logger}: ${message}`,
  ];
  for (const [key, value] of Object.entries(facts)) {
    parts.push(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  }
  if (duration_ms !== null) parts.push(`(${duration_ms} ms)`);
  if (request_id !== null) parts.push(`[${request_id.slice(0, 8)}]`);
  return error === undefined ? `${parts.join(' ')}\n` : `${parts.join(' ')}\n${error.stack}\n`;
}
