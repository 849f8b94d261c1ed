import {hash} from 'node:crypto';

export const md5Hex = (text: string): string => hash('md5', text, 'hex');

export const sha1Hex = (text: string): string => hash('sha1', text, 'hex');

/** A name-based UUID (version 5 shape): the same text gives the same id on every machine. */
export function uuidFromHash(text: string): string {
  const hex = sha1Hex(text);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
