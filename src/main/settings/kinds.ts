import {isIP} from 'node:net';
import type {TSchema} from 'typebox';
import {Compile} from 'typebox/compile';

/** What a text from the environment turned out to be. */
export type Parsed<T> =
  | {readonly is: 'good'; readonly value: T}
  | {readonly is: 'bad'; readonly why?: string};

/** How the text of a setting is read; `allowed` is shown in the docs and beside every refused value. */
export interface SettingKind<T> {
  readonly type: string;
  readonly allowed: string;
  parse(text: string): Parsed<T>;
}

const good = <T>(value: T): Parsed<T> => ({is: 'good', value});
const bad = (why?: string): Parsed<never> => (why === undefined ? {is: 'bad'} : {is: 'bad', why});

export function text(charactersMin: number, charactersMax: number): SettingKind<string> {
  return {
    type: 'text',
    allowed: `${charactersMin} to ${charactersMax} characters`,
    parse: value => (value.length >= charactersMin && value.length <= charactersMax ? good(value) : bad()),
  };
}

export function wholeNumber(min: number, max: number): SettingKind<number> {
  return {
    type: 'whole number',
    allowed: `a whole number from ${min} to ${max}`,
    parse(value) {
      if (!/^-?\d{1,16}$/.test(value)) return bad();
      const number = Number(value);
      return number >= min && number <= max ? good(number) : bad();
    },
  };
}

const YES = new Set(['true', '1', 'yes', 'on']);
const NO = new Set(['false', '0', 'no', 'off']);

export const yesOrNo: SettingKind<boolean> = {
  type: 'boolean',
  allowed: 'true or false (also 1/0, yes/no, on/off)',
  parse(value) {
    const word = value.toLowerCase();
    if (YES.has(word)) return good(true);
    return NO.has(word) ? good(false) : bad();
  },
};

export function oneOf<const T extends string>(choices: readonly T[]): SettingKind<T> {
  return {
    type: 'choice',
    allowed: `one of ${choices.join(', ')}`,
    parse(value) {
      const found = choices.find(choice => choice.toLowerCase() === value.toLowerCase());
      return found === undefined ? bad() : good(found);
    },
  };
}

const HOST_NAME = /^(?=.{1,253}$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/i;
const NUMBERS_AND_DOTS = /^[\d.]+$/;

export const hostName: SettingKind<string> = {
  type: 'host',
  allowed: 'an IP address or a host name',
  parse(value) {
    if (isIP(value) !== 0) return good(value);
    return HOST_NAME.test(value) && !NUMBERS_AND_DOTS.test(value) ? good(value) : bad();
  },
};

export const folder: SettingKind<string> = {
  type: 'folder',
  allowed: 'a path without NUL characters',
  parse: value => (value.includes('\0') ? bad() : good(value)),
};

/** Without a slash at the end, so that paths can be appended. */
export const webAddress: SettingKind<string> = {
  type: 'URL',
  allowed: 'an http:// or https:// address without user, query or fragment',
  parse(value) {
    if (!URL.canParse(value)) return bad();
    const url = new URL(value);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return bad();
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return bad();
    return good(url.href.replace(/\/+$/, ''));
  },
};

const ORIGIN = /^https?:\/\/[^/?#@\s]+$/;

export const origins: SettingKind<readonly string[]> = {
  type: 'list',
  allowed: 'origins such as https://app.example.com, separated by commas',
  parse(value) {
    const items = value.split(',').map(item => item.trim());
    const wrong = items.find(item => !ORIGIN.test(item) || !URL.canParse(item));
    return wrong === undefined ? good(items) : bad(`"${wrong}" is not an origin`);
  },
};

export function jsonList<T>(item: TSchema, allowed: string): SettingKind<readonly T[]> {
  return {
    type: 'JSON list',
    allowed,
    parse(value) {
      let list: unknown;
      try {
        list = JSON.parse(value);
      } catch {
        return bad('it is not JSON');
      }
      if (!Array.isArray(list)) return bad('it is not a list');
      const validator = Compile(item);
      for (const [index, entry] of list.entries()) {
        const [problem] = validator.Errors(entry);
        if (problem)
          return bad(`item ${index}${problem.instancePath.replaceAll('/', '.')} ${problem.message}`);
      }
      return good(list as T[]);
    },
  };
}

/** A URL of a database server; any database but PostgreSQL is refused. */
export const databaseUrl: SettingKind<string> = {
  type: 'URL',
  allowed: 'postgres://user:password@host:port/database',
  parse(value) {
    const url = URL.parse(value);
    if (url === null) return bad('it is no URL');
    const isPostgres = url.protocol === 'postgres:' || url.protocol === 'postgresql:';
    if (!isPostgres) return bad('PostgreSQL is the only database server that is known');
    return url.pathname.length > 1 ? good(value) : bad('it names no database');
  },
};
