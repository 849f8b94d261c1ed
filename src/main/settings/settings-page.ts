import {EXIT} from '../exit-codes.ts';
import {SETTINGS, type Setting} from './table.ts';

/** docs/settings.md, as the table says it. */
export function settingsPage(): string {
  const rows = Object.values<Setting<unknown, unknown>>(SETTINGS).map(row =>
    [`\`${row.variable}\``, row.kind.type, shownDefault(row), row.kind.allowed, row.meaning]
      .map(cell)
      .join(' | '),
  );
  const codes = Object.values(EXIT).map(({code, why}) => `| ${code} | ${why} |`);
  return `# Settings

<!-- Written by \`npm run docs\` from src/main/settings/table.ts; a test keeps it in step. -->

Settings are environment variables, read once at the start. An empty variable counts as unset. When a value
cannot be used the service lists every such value and stops with exit code 2; a \`SERVICE_*\` variable that is
not in this table is named in a warning.

| Variable | Type | Default | Allowed | Meaning |
|---|---|---|---|---|
${rows.map(row => `| ${row} |`).join('\n')}

## Exit codes

| Code | Why the service stopped |
|---|---|
${codes.join('\n')}
`;
}

function shownDefault(row: Setting<unknown, unknown>): string {
  if (row.defaultText !== undefined) return row.defaultText;
  if (row.default === undefined) return 'unset';
  return `\`${typeof row.default === 'string' ? row.default : JSON.stringify(row.default)}\``;
}

const cell = (text: string) => text.replaceAll('|', '\\|');
