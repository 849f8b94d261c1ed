import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterAll, describe, expect, test, vi} from 'vitest';
import {temporaryFolder} from '../../ports/git-fixtures.ts';
import {TransformFailure} from '../../ports/transform-runner.ts';
import {PythonTransformRunner} from './python-transform-runner.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const repositories = temporaryFolder('transforms');

const runnerWith = (options: {python?: string; useBubblewrap?: boolean; environmentFolder?: string} = {}) =>
  new PythonTransformRunner({
    python: 'python3',
    environmentFolder: join(ROOT, 'node_modules', '.cache', 'trellis-python'),
    repositoriesFolder: repositories,
    processesMax: 2,
    memoryBytesMax: 256 * 1024 * 1024,
    useBubblewrap: false,
    ...options,
  });

const runner = runnerWith();
afterAll(() => runner.close());

/** Old kernels, and some containers, have no Landlock: there only time and memory are limited, and files are not. */
function hasLandlock(): boolean {
  if (process.platform !== 'linux') return false;
  const look = 'import ctypes; print(ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1))';
  return Number(execFileSync('python3', ['-c', look]).toString()) >= 1;
}

let folders = 0;
function filesOf(files: Readonly<Record<string, string>>): string {
  folders += 1;
  const folder = join(repositories, String(folders));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const failureOf = async (work: Promise<unknown>): Promise<TransformFailure> => {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TransformFailure);
  return error as TransformFailure;
};

const render = (files: Readonly<Record<string, string>>, data: object = {}, millisMax = 20_000) =>
  runner.render({folder: filesOf(files), path: 'main.j2', variables: {data: data as never}, millisMax});

const transform = (code: string, data: object = {}, millisMax = 20_000, use = runner) =>
  use.transform({
    folder: filesOf({
      'transforms/mine.py': code,
      'transforms/helper.py': 'def twice(x):\n    return x * 2\n',
    }),
    path: 'transforms/mine.py',
    className: 'Mine',
    data: data as never,
    branch: 'main',
    millisMax,
  });

describe('templates', () => {
  test('are rendered by Jinja2 with the data, blocks trimmed, and what they include and import', async () => {
    const text = await render(
      {
        'main.j2':
          '{% import "lib/macros.j2" as lib %}\n{% for i in data.interfaces %}\n  {% if i.up %}\n{{ lib.line(i.name) }}\n  {% endif %}\n{% endfor %}\n{% include "lib/end.j2" %}\n',
        'lib/macros.j2': '{% macro line(name) %}interface {{ name | upper }}{% endmacro %}',
        'lib/end.j2': 'end {{ data.interfaces | length }}',
      },
      {
        interfaces: [
          {name: 'ge-0', up: true},
          {name: 'ge-1', up: false},
          {name: 'ü', up: true},
        ],
      },
    );
    expect(text).toBe('interface GE-0\ninterface Ü\nend 3');
  });

  test('have the filters of netutils beside those of Jinja2', async () => {
    const text = await render({
      'main.j2':
        '{{ "192.0.2.0/24" | get_first_usable }} {{ "Gi1/0/1" | canonical_interface_name }} {{ 24 | cidr_to_netmask }}' +
        ' {{ ("{\\"a\\": [1]}" | from_json).a[0] }}',
    });
    expect(text).toBe('192.0.2.1 GigabitEthernet1/0/1 255.255.255.0 1');
  });

  test('that fail say in which file and line', async () => {
    const syntax = await failureOf(render({'main.j2': 'one\n{% if %}\n'}));
    expect(syntax.reason).toBe('code');
    expect(syntax.message).toBe("main.j2, line 2: Expected an expression, got 'end of statement block'");
    const missing = await failureOf(
      render({'main.j2': '\n\n{% include "sub/x.j2" %}', 'sub/x.j2': 'a\n{{ data.none.deep }}'}),
    );
    expect(missing.message).toBe("sub/x.j2, line 2: 'dict object' has no attribute 'none'");
    const wrong = await failureOf(render({'main.j2': 'a\nb\n{{ 1 / 0 }}'}));
    expect(wrong.message).toBe('main.j2, line 3: ZeroDivisionError: division by zero');
    const gone = await failureOf(render({'main.j2': 'a\n{% include "nowhere.j2" %}'}));
    expect(gone.message).toBe("main.j2, line 2: there is no template 'nowhere.j2' in the repository");
    expect((await failureOf(render({'other.j2': ''}))).reason).toBe('missing');
  });

  test('reach no file outside the repository and nothing of Python', async () => {
    for (const template of [
      '{% include "../1/main.j2" %}',
      '{% include "/etc/passwd" %}',
      "{{ ''.__class__.__mro__[1].__subclasses__() }}",
      "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
      '{{ self.__init__.__globals__ }}',
      "{% set x = lipsum.__globals__['os'] %}{{ x.system('id') }}",
    ]) {
      const failure = await failureOf(render({'main.j2': template}));
      expect([template, failure.reason]).toEqual([template, 'code']);
    }
  });

  test('that never end, take all memory or call themselves fail, and the next one renders', async () => {
    const endless = '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}';
    expect((await failureOf(render({'main.j2': endless}, {}, 200))).reason).toBe('timeout');
    expect(await render({'main.j2': 'fine'})).toBe('fine');
    const greedy = await failureOf(render({'main.j2': '{{ "x" * 10000000000 }}'}));
    expect(greedy.reason).toBe('memory');
    const loop = await failureOf(render({'main.j2': '{% include "main.j2" %}'}));
    expect(loop.message).toContain('without end');
    expect(await render({'main.j2': 'fine'})).toBe('fine');
  });

  test('say of which files they are made, unless only rendering can tell', async () => {
    const folder = filesOf({
      'main.j2': '{% extends "base.j2" %}{% from "lib/m.j2" import x %}',
      'base.j2': '{% include "end.j2" %}{% include "not-there.j2" ignore missing %}',
      'lib/m.j2': '',
      'end.j2': '',
      'open.j2': '{% include data.name %}',
    });
    const files = (path: string) => runner.templateFiles({folder, path, millisMax: 20_000});
    expect(await files('main.j2')).toEqual(['base.j2', 'end.j2', 'lib/m.j2', 'main.j2', 'not-there.j2']);
    expect(await files('open.j2')).toBe(undefined);
  });

  test('many at once each get their own answer', async () => {
    const folder = filesOf({'main.j2': '{{ data.n }}'});
    const texts = await Promise.all(
      Array.from({length: 200}, (_, n) =>
        runner.render({folder, path: 'main.j2', variables: {data: {n}}, millisMax: 20_000}),
      ),
    );
    expect(texts).toEqual(Array.from({length: 200}, (_, n) => String(n)));
  });
});

describe('Python transforms', () => {
  test('are classes with the shape that users have, waiting or not, with imports from the repository', async () => {
    const code = (base: string, line: string, kind = 'def') => `
${base}
from helper import twice

class Mine(Base):
    query = "devices"
    ${kind} transform(self, data):
        print("words of the code go nowhere")
        ${line}
`;
    const sdk = 'from infrahub_sdk.transforms import InfrahubTransform as Base';
    const waiting =
      'import asyncio; await asyncio.sleep(0); return {"n": twice(data["n"]), "branch": self.branch_name}';
    expect(await transform(code(sdk, waiting, 'async def'), {n: 4})).toEqual({n: 8, branch: 'main'});
    expect(await transform(code('from trellis import Transform as Base', 'return [data]'), {a: 1})).toEqual([
      {a: 1},
    ]);
    expect(await transform(code('Base = object', 'return "ü"'))).toBe('ü');
  });

  test('say which query they read', async () => {
    const folder = filesOf({
      'a.py': 'class Mine:\n  query = "devices"\n  timeout = 3\n  def transform(self, data): pass\n',
      'b.py': 'class Mine:\n  def transform(self, data): pass\n',
    });
    const facts = (path: string, className = 'Mine') =>
      runner.describe({folder, path, className, millisMax: 20_000});
    expect(await facts('a.py')).toEqual({query: 'devices', timeoutSeconds: 3});
    expect((await failureOf(facts('b.py'))).message).toBe('Mine in b.py names no query');
    expect((await failureOf(facts('a.py', 'Other'))).message).toBe('a.py has no class Other');
    expect((await failureOf(facts('c.py'))).reason).toBe('missing');
  });

  test('that fail give the traceback of their own code', async () => {
    const failure = await failureOf(
      transform('class Mine:\n  def transform(self, data):\n    return data["nothing"]\n'),
    );
    expect(failure.reason).toBe('code');
    expect(failure.message).toContain('File "transforms/mine.py", line 3, in transform');
    expect(failure.message).toContain("KeyError: 'nothing'");
    expect(failure.message).not.toContain(repositories);
    expect((await failureOf(transform('class Mine:\n  def x(\n'))).message).toContain('SyntaxError');
    expect((await failureOf(transform('import sys; sys.exit(3)'))).message).toContain('SystemExit');
    const odd = await failureOf(transform('class Mine:\n  def transform(self, data):\n    return {1, 2}\n'));
    expect(odd.message).toContain('returned what JSON cannot hold');
  });

  const body = (lines: string) =>
    `import os, sys, socket, subprocess, threading\nclass Mine:\n  def transform(self, data):\n${lines
      .split('\n')
      .map(line => `    ${line}`)
      .join('\n')}\n`;

  test('that hang, crash or want 10 GB fail alone', async () => {
    expect((await failureOf(transform(body('while True: pass'), {}, 300))).reason).toBe('timeout');
    expect((await failureOf(transform(body('os._exit(7)')))).message).toContain('exit code 7');
    expect((await failureOf(transform(body('return len(bytearray(10_000_000_000))')))).reason).toBe('memory');
    expect(await transform(body('return 1'))).toBe(1);
  });

  test.skipIf(!hasLandlock())('have no other processes, no network and no files but their own', async () => {
    for (const line of [
      'while True: os.fork()',
      'return subprocess.run(["id"]).returncode',
      'sys.exit("refused" if os.system("id") != 0 else "ran")',
      'socket.create_connection(("127.0.0.1", 1))',
      'socket.socket(socket.AF_UNIX)',
      'return open("/etc/passwd").read()',
      'return open("/proc/1/environ").read()',
      `return os.listdir("${ROOT}")`,
      'open("/tmp/trellis-test-file", "w").write("x")',
      'open(__file__, "a").write("x")',
      'os.kill(os.getppid(), 9)',
      'import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))',
    ]) {
      const failure = await failureOf(transform(body(line)));
      expect([line, failure.message]).toEqual([
        line,
        expect.stringMatching(/not permitted|not allowed|denied|refused/i),
      ]);
    }
    const threads = 't = threading.Thread(target=lambda: None); t.start(); t.join(); return dict(os.environ)';
    expect(Object.keys((await transform(body(threads))) as object).sort()).toEqual(['LANG', 'PATH']);
  });

  test('run in bubblewrap where the system has it', async () => {
    const wrapped = runnerWith({useBubblewrap: true});
    try {
      expect(await transform(body('return sorted(data)'), {b: 1, a: 2}, 20_000, wrapped)).toEqual(['a', 'b']);
      const folder = filesOf({'main.j2': '{{ data }}'});
      expect(await wrapped.render({folder, path: 'main.j2', variables: {data: 'x'}, millisMax: 20_000})).toBe(
        'x',
      );
      const failure = await failureOf(
        transform(body('return open("/etc/passwd").read()'), {}, 20_000, wrapped),
      );
      expect(failure.message).toMatch(/denied|No such file/);
    } finally {
      await wrapped.close();
    }
  });
});

test('a machine that reaches no package index borrows the Jinja2 of its Python, or is told what is missing', async () => {
  const offline = runnerWith({environmentFolder: temporaryFolder('environments')});
  const folder = filesOf({'main.j2': 'x{{ data }}'});
  vi.stubEnv('PIP_NO_INDEX', '1');
  vi.stubEnv('PIP_FIND_LINKS', folder);
  const work = offline.render({folder, path: 'main.j2', variables: {data: 1}, millisMax: 20_000});
  const outcome = await work.catch((error: unknown) => error);
  vi.unstubAllEnvs();
  await offline.close();
  if (outcome instanceof TransformFailure) expect(outcome.message).toContain('pip could not install');
  else expect(outcome).toBe('x1');
});

test('a machine without Python is told so', async () => {
  const without = runnerWith({python: '/nowhere/python3'});
  const folder = filesOf({'main.j2': ''});
  const failure = await failureOf(without.render({folder, path: 'main.j2', variables: {}, millisMax: 1000}));
  expect(failure.reason).toBe('no-python');
  expect(failure.message).toContain('install Python 3.9 or later, or point SERVICE_PYTHON at it');
});
