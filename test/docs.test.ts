import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {settingsPage} from '../src/main/settings/settings-page.ts';
import {FAULT, STATUS} from '../src/wire/http/status.ts';

const page = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

describe('the docs', () => {
  test('docs/settings.md is what the table of settings says (npm run docs writes it)', () => {
    expect(page('settings.md')).toBe(settingsPage());
  });

  test('docs/errors.md lists every error code with its status, and no other', () => {
    const rows = page('errors.md').matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \| \S/gm);
    const documented = Object.fromEntries(Array.from(rows, row => [row[1], Number(row[2])]));
    expect(documented).toEqual({...STATUS, [FAULT.code]: FAULT.status});
  });
});
