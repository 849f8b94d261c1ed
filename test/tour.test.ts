import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {addressOf, ROOT, StartedProcess, startServer, tempFolder} from './process/start-process.ts';

/** Made once for all tests. */
const PYTHON = join(ROOT, 'node_modules', '.cache', 'trellis-python');

/** A block that readers may follow: commands to type, or what they print. */
interface Block {
  readonly is: 'commands' | 'output';
  readonly text: string;
}

function tourOf(text: string): readonly Block[] {
  return Array.from(text.matchAll(/^```(sh|text) tour\n([\s\S]*?)^```$/gm), ([, language, block]) => ({
    is: language === 'sh' ? 'commands' : 'output',
    text: block!,
  }));
}

test.each(['README.md', 'docs/tasks-and-files.md', 'docs/git-and-artifacts.md'])(
  'what %s shows comes out word for word',
  {timeout: 600_000},
  async page => {
    const blocks = tourOf(readFileSync(join(ROOT, page), 'utf8'));
    expect(blocks.filter(block => block.is === 'commands').length).toBeGreaterThan(4);
    const server = startServer({SERVICE_DATA_DIR: tempFolder(), SERVICE_PYTHON_ENVIRONMENT: PYTHON});
    const address = await addressOf(server);
    const script = blocks.filter(block => block.is === 'commands').map(block => block.text);
    const typed = `set -eu\n${script.join('\n')}`.replace('http://127.0.0.1:8000', address);
    const shell = new StartedProcess('bash', ['-c', typed], {cwd: ROOT, env: process.env});
    expect(await shell.ended()).toBe(0);
    const printed = blocks.filter(block => block.is === 'output').map(block => block.text);
    expect(shell.stderr).toBe('');
    expect(shell.stdout).toBe(printed.join(''));
  },
);
