import {isJsonObject, type Json} from '../../base/json.ts';

const COLOURS: Readonly<Record<string, string>> = {
  DEBUG: '\u001b[90m',
  INFO: '\u001b[32m',
  WARNING: '\u001b[33m',
  ERROR: '\u001b[31m',
  CRITICAL: '\u001b[41m',
};
const RESET = '\u001b[0m';

/** A JSON log line as a person at a terminal wants to read it. */
export function readableLine(line: string): string {
  const parsed = JSON.parse(line) as Json;
  if (!isJsonObject(parsed)) return line;
  const {level, timestamp, logger, message, request_id, duration_ms, error, ...facts} = parsed;
  const name = String(level);
  const parts = [
    String(timestamp).slice(11, 23),
    `${COLOURS[name] ?? ''}${name.padEnd(8)}${RESET}`,
    `${logger}: ${message}`,
  ];
  for (const [key, value] of Object.entries(facts)) {
    parts.push(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  }
  if (typeof duration_ms === 'number') parts.push(`(${duration_ms} ms)`);
  if (typeof request_id === 'string') parts.push(`[${request_id.slice(0, 8)}]`);
  const stack = isJsonObject(error ?? null) ? (error as {stack?: Json}).stack : undefined;
  return typeof stack === 'string' ? `${parts.join(' ')}\n${stack}\n` : `${parts.join(' ')}\n`;
}
