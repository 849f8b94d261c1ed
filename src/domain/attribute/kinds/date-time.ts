import {accept, type Checked, refuse, shown, typeName} from './checked.ts';

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

const HINT = 'such as 2024-05-31T13:45:00Z, 2024-05-31T15:45:00.25+02:00 or 2024-05-31';

/**
 * ISO 8601 in, RFC 3339 in UTC with `Z` out: one instant has one text. A time without an offset is
 * UTC, a date alone is its first moment, digits beyond the microsecond are dropped.
 */
export function checkDateTime(value: unknown): Checked {
  if (typeof value !== 'string')
    return refuse(`must be a text with a date and time ${HINT}, not ${typeName(value)}`);
  const normalised = normaliseDateTime(value);
  if (normalised === null) return refuse(`must be a date and time ${HINT}, ${shown(value)} is none`);
  return accept(normalised);
}

function normaliseDateTime(text: string): string | null {
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(part => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = offsetMinutes(match[8] ?? 'Z');
  if (year < 1 || hour > 23 || minute > 59 || second > 59 || offset === null) return null;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null;
  local.setUTCHours(hour, minute - offset, second);
  if (local.getUTCFullYear() < 1 || local.getUTCFullYear() > 9999) return null;
  const fraction = (match[7] ?? '').slice(0, 6).replace(/0+$/, '');
  return `${local.toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
}

function offsetMinutes(text: string): number | null {
  if (text === 'Z' || text === 'z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
