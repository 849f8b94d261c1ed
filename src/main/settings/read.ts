import type {SettingKind} from './kinds.ts';
import {isLoopbackHost} from './loopback.ts';
import {nearestName} from './nearest-name.ts';
import {SETTINGS, type Setting} from './table.ts';

type Table = typeof SETTINGS;
type Value<Row> = Row extends {readonly kind: SettingKind<infer T>; readonly default: infer Default}
  ? T | Default
  : never;
type Raw = {readonly [Name in keyof Table]: Value<Table[Name]>};

export type Settings = Omit<Raw, 'allowAnonymousAccess'> & {readonly allowAnonymousAccess: boolean};

export interface ReadSettings {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

/** Every wrong value at once: an operator fixes them in one go. */
export class SettingsRefused extends Error {
  override name = 'SettingsRefused';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`These settings cannot be used:\n${problems.map(problem => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as unset. */
export function readSettings(env: Environment): ReadSettings {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries<Setting<unknown, unknown>>(SETTINGS)) {
    const given = env[row.variable];
    if (given === undefined || given === '') {
      values[name] = row.default;
      continue;
    }
    const parsed = row.kind.parse(given);
    if (parsed.is === 'good') values[name] = parsed.value;
    else problems.push(describeProblem(row, given, parsed.why));
  }
  if (problems.length > 0) throw new SettingsRefused(problems);
  const raw = values as unknown as Raw;
  const settings = {...raw, allowAnonymousAccess: raw.allowAnonymousAccess ?? isLoopbackHost(raw.host)};
  return {settings, warnings: unknownVariables(env)};
}

function describeProblem(row: Setting<unknown, unknown>, given: string, why: string | undefined): string {
  const value = row.secret ? '(value not shown)' : JSON.stringify(given);
  const reason = why === undefined ? '' : ` (${why})`;
  return `${row.variable} is ${value}${reason}; allowed: ${row.kind.allowed}`;
}

function unknownVariables(env: Environment): readonly string[] {
  const known = Object.values(SETTINGS).map(row => row.variable as string);
  return Object.keys(env)
    .filter(name => name.startsWith('SERVICE_') && !known.includes(name))
    .sort()
    .map(name => {
      const nearest = nearestName(name, known);
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
      return `${name} is not a setting and has no effect${hint}`;
    });
}
