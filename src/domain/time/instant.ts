import type {Brand} from '../../base/brand.ts';
import {validationError} from '../errors.ts';

/** Microseconds since the epoch. Every commit has its own, strictly later than the one before. */
export type Instant = Brand<number, 'Instant'>;

/** The end of every interval that is still open. */
export const FOREVER = Number.MAX_SAFE_INTEGER as Instant;

const MICROS_PER_UNIT: Readonly<Record<string, number>> = {
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
};

/** A clock that runs ahead by less than this is taken as skew, and its instants as now. */
const SKEW_ALLOWED_MICROS = 5 * 60_000_000;

const RELATIVE = /^-(\d{1,9})([smhd])$/;
const ABSOLUTE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(Z|z|[+-]\d{2}:?\d{2})$/;

export const earliest = (a: Instant, b: Instant): Instant => (a < b ? a : b);

export function formatInstant(instant: Instant): string {
  const millis = Math.floor(instant / 1000);
  const micros = instant - millis * 1000;
  return `${new Date(millis).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}

/** The microseconds of an ISO 8601 text with offset or `Z`; `undefined` when it is not one. */
export function parseIsoMicros(text: string): number | undefined {
  const match = ABSOLUTE.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const offset = /^z$/i.test(zone) ? 'Z' : zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const millis = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  if (Number.isNaN(millis)) return undefined;
  if (new Date(Date.parse(`${year}-${month}-${day}T00:00:00Z`)).getUTCDate() !== Number(day))
    return undefined;
  return millis * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

/**
 * The instant that an `at` names: ISO 8601 with offset or `Z`, `-<n>s|m|h|d`, or `now`.
 * `undefined` means the present. Refuses what lies before the database or ahead of the clock.
 */
export function parseAt(text: string, now: Instant, oldest: Instant): Instant | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'now') return undefined;
  const relative = RELATIVE.exec(trimmed);
  const micros =
    relative === null
      ? parseIsoMicros(trimmed)
      : now - Number(relative[1]) * (MICROS_PER_UNIT[relative[2] ?? ''] ?? Number.NaN);
  if (micros === undefined) {
    throw validationError(
      `Invalid time format for ${text}: use ISO 8601 with an offset or Z (2026-01-31T10:00:00Z), -<n>s|m|h|d, or now`,
      {at: text},
    );
  }
  if (micros > now + SKEW_ALLOWED_MICROS || micros < oldest) {
    throw validationError(
      `The time ${text} is outside the recorded history: it runs from ${formatInstant(oldest)} to ${formatInstant(now)}`,
      {at: text, from: formatInstant(oldest), to: formatInstant(now)},
    );
  }
  return micros >= now ? undefined : (micros as Instant);
}
