import {readdirSync, readFileSync} from 'node:fs';
import {join, relative, sep} from 'node:path';
import {describe, expect, test} from 'vitest';
import {importsOf} from './architecture/imports.ts';
import {type Sources, violationsIn} from './architecture/violations.ts';

const SRC = join(import.meta.dirname, '..', 'src');

function readSources(): Sources {
  const files = readdirSync(SRC, {recursive: true, withFileTypes: true}).filter(
    entry => entry.isFile() && entry.name.endsWith('.ts'),
  );
  return new Map(
    files.map(entry => {
      const path = join(entry.parentPath, entry.name);
      return [relative(SRC, path).split(sep).join('/'), readFileSync(path, 'utf8')];
    }),
  );
}

const violations = (sources: Record<string, string>) => violationsIn(new Map(Object.entries(sources)));

describe('the house', () => {
  test('every import runs along the arrows, and no files import each other', () => {
    const sources = readSources();
    expect(sources.size).toBeGreaterThan(10);
    expect(violationsIn(sources)).toEqual([]);
  });
});

describe('the check of the house', () => {
  test('accepts imports along the arrows, far ones included', () => {
    expect(
      violations({
        'base/a.ts': "import {createHash} from 'node:crypto';",
        'domain/b.ts': "import {a} from '../base/a.ts';",
        'ports/c.ts': "import type {B} from '../domain/b.ts';",
        'app/d.ts': "import type {C} from '../ports/c.ts';\nimport {a} from '../base/a.ts';",
        'adapters/e.ts': "import type {C} from '../ports/c.ts';\nimport pg from 'pg';",
        'wire/f.ts': "import {d} from '../app/d.ts';\nimport {fastify} from 'fastify';",
        'main/g.ts': "import {e} from '../adapters/e.ts';\nimport {f} from '../wire/f.ts';",
        'cli/h.ts': "import {g} from '../main/g.ts';",
      }),
    ).toEqual([]);
  });

  test.each([
    ['domain', 'ports'],
    ['domain', 'app'],
    ['ports', 'app'],
    ['app', 'adapters'],
    ['app', 'wire'],
    ['adapters', 'app'],
    ['adapters', 'wire'],
    ['wire', 'adapters'],
    ['wire', 'main'],
    ['base', 'domain'],
  ])('%s may not import %s', (from, to) => {
    const found = violations({[`${from}/x.ts`]: `import {y} from '../${to}/y.ts';`, [`${to}/y.ts`]: ''});
    expect(found).toEqual([`${from}/x.ts imports ${to}/y.ts: ${from} may not know ${to}`]);
  });

  test.each([
    ['type-only', "import type {Y} from '../wire/y.ts';"],
    ['type-only by name', "import {type Y} from '../wire/y.ts';"],
    ['over several lines', "import {\n  y,\n  z,\n} from '../wire/y.ts';"],
    ['for its effects', "import '../wire/y.ts';"],
    ['dynamic', "const y = await import('../wire/y.ts');"],
    ['dynamic, as a type', "let y: import('../wire/y.ts').Y;"],
    ['as a thread', "new Worker(new URL('../wire/y.ts', import.meta.url));"],
    ['everything', "import * as y from '../wire/y.ts';"],
  ])('sees an import that is %s', (_how, source) => {
    expect(violations({'app/x.ts': source, 'wire/y.ts': ''})).toContain(
      'app/x.ts imports wire/y.ts: app may not know wire',
    );
  });

  test('reads import after import in one file', () => {
    const source =
      "import a from './a.ts';\nimport type {\n  B,\n} from './b.ts';\n\nexport const c = 'from \"d\"';\n";
    expect(importsOf(source).map(found => found.specifier)).toEqual(['./a.ts', './b.ts']);
  });

  test('refuses a cycle of files, even of types in one room', () => {
    const found = violations({
      'domain/a.ts': "import type {B} from './b.ts';",
      'domain/b.ts': "import type {C} from './deep/c.ts';",
      'domain/deep/c.ts': "import type {A} from '../a.ts';",
    });
    expect(found).toEqual(['a cycle: domain/a.ts -> domain/b.ts -> domain/deep/c.ts -> domain/a.ts']);
  });

  test('refuses cli and main that know each other', () => {
    const found = violations({
      'cli/a.ts': "import {b} from '../main/b.ts';",
      'cli/c.ts': '',
      'main/b.ts': '',
      'main/d.ts': "import {c} from '../cli/c.ts';",
    });
    expect(found).toEqual(['cli and main know each other']);
  });

  test('refuses the outside world in the pure rooms', () => {
    expect(
      violations({
        'domain/a.ts': "import {readFileSync} from 'node:fs';",
        'domain/b.ts': "import {parse} from 'yaml';",
        'base/c.ts': "import {createServer} from 'node:net';",
        'ports/d.ts': "import type {FastifyInstance} from 'fastify';",
      }),
    ).toEqual([
      'domain/a.ts may not use node:fs',
      'domain/b.ts may not use yaml',
      'base/c.ts may not use node:net',
      'ports/d.ts may not use fastify',
    ]);
  });

  test('refuses waiting, clock, chance and environment in the domain, but not the words in a comment', () => {
    expect(
      violations({
        'domain/a.ts': 'export const f = async () => await g();',
        'domain/b.ts': 'const now = Date.now();',
        'domain/c.ts': 'const today = new Date();',
        'domain/d.ts': 'const dice = Math.random();',
        'domain/e.ts': 'const home = process.env.HOME;',
        'domain/f.ts': '// callers await this\n/**\n * as Date.now() would\n */\nconst day = new Date(0);',
        'app/g.ts': 'export const f = async () => Date.now();',
      }),
    ).toEqual([
      'domain/a.ts is not pure: async',
      'domain/b.ts is not pure: Date.now',
      'domain/c.ts is not pure: new Date()',
      'domain/d.ts is not pure: Math.random',
      'domain/e.ts is not pure: process.',
    ]);
  });

  test('lets tests of a pure room use test libraries and real adapters, and nobody import them', () => {
    expect(
      violations({
        'domain/a.test.ts': "import {test} from 'vitest';\nimport {e} from '../adapters/e.ts';",
        'adapters/e.ts': '',
        'ports/x-contract.ts': "import {test} from 'vitest';",
        'adapters/e.test.ts': "import {contract} from '../ports/x-contract.ts';",
        'main/m.ts': "import {contract} from '../ports/x-contract.ts';",
      }),
    ).toEqual(['main/m.ts imports ports/x-contract.ts, which is for tests only']);
  });

  test('refuses barrels, by name and by what they do', () => {
    expect(
      violations({
        'domain/index.ts': '',
        'domain/all.ts': "export * from './a.ts';",
        'domain/some.ts': "export {a} from './a.ts';\nexport type {\n  B,\n} from './a.ts';",
        'domain/a.ts': "export const a = 'from';",
      }),
    ).toEqual([
      'domain/index.ts is a barrel by name',
      'domain/all.ts passes on domain/a.ts: import the file that defines it',
      'domain/some.ts passes on domain/a.ts: import the file that defines it',
      'domain/some.ts passes on domain/a.ts: import the file that defines it',
    ]);
  });

  test('refuses what it cannot follow: a computed name, a missing file, a missing extension, no room', () => {
    expect(
      violations({
        'app/a.ts': 'await import(name);',
        'app/b.ts': "import {x} from './nowhere.ts';",
        'app/c.ts': "import {a} from './a';",
        'helpers/d.ts': '',
      }),
    ).toEqual([
      'app/a.ts imports a module whose name cannot be read',
      'app/b.ts imports app/nowhere.ts, which is not a file',
      'app/c.ts imports app/a, which is not a file',
      'helpers/d.ts is in no room of the house',
    ]);
  });
});
