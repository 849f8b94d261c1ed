/** The house as data: which room may know which, and what from outside each may use. */
export interface Room {
  /** Rooms it may import; its own is always allowed. */
  readonly knows: readonly string[];
  /** Packages and `node:` modules it may import; 'any' for rooms that touch the world. */
  readonly outside: readonly string[] | 'any';
  /** No waiting, clock, chance or environment. */
  readonly pure?: true;
}

const INNER = ['base', 'domain', 'ports'];

export const HOUSE: Readonly<Record<string, Room>> = {
  base: {knows: [], outside: ['node:crypto']},
  domain: {knows: ['base'], outside: [], pure: true},
  ports: {knows: ['base', 'domain'], outside: []},
  app: {knows: INNER, outside: ['node:crypto']},
  adapters: {knows: INNER, outside: 'any'},
  wire: {knows: [...INNER, 'app'], outside: 'any'},
  cli: {knows: [...INNER, 'app', 'adapters', 'wire', 'main'], outside: 'any'},
  main: {knows: [...INNER, 'app', 'adapters', 'wire', 'cli'], outside: 'any'},
};

/**
 * Tests, contract suites, models, random histories and their fixtures stand outside the arrows: they may bring
 * real adapters and test libraries into any room. No other file may import them.
 */
export const isTestFile = (path: string) =>
  /\.test\.ts$|-(?:contract|histories|model)(?:\/|\.ts$)|-(?:fixtures|harness)\.ts$/.test(path);
