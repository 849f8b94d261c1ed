import {crc32} from 'node:zlib';
import {unavailable} from '../../domain/errors.ts';

/** Compared when a text is read, so that a damaged page is never taken for data. */
export const checksum = (text: string): number => crc32(text);

export const damaged = (what: string): Error =>
  unavailable(`${what} is damaged on disk: its checksum does not match. Restore from a backup.`);

/** Of something that other rows speak of, and that is always written with them. */
export const lost = (what: string): Error =>
  unavailable(`${what} is missing on disk: the database is damaged. Restore from a backup.`);

/** A text that carries its own checksum. */
export const sealed = (text: string): string => `${checksum(text)} ${text}`;

export function unsealed(stored: string, what: string): string {
  const end = stored.indexOf(' ');
  const text = stored.slice(end + 1);
  if (Number(stored.slice(0, end)) !== checksum(text)) throw damaged(what);
  return text;
}
