import {type Json, sameJson} from '../../base/json.ts';
import {shown} from './kinds/checked.ts';
import {KIND_CHECKS} from './kinds/registry.ts';
import {codePointCount} from './kinds/text.ts';
import type {AttributeKind} from './kinds.ts';
import {parseNumberRanges, shownRange} from './number-ranges.ts';
import {checkRegex, matchFromStart} from './regex.ts';

export type AttributeParameters = {
  readonly regex?: string | null;
  readonly min_length?: number | null;
  readonly max_length?: number | null;
  readonly min_value?: number | null;
  readonly max_value?: number | null;
  readonly excluded_values?: string | null;
  readonly start_range?: number | null;
  readonly end_range?: number | null;
  readonly number_pool_id?: string | null;
};

export type AttributeRules = {
  readonly name: string;
  readonly kind: AttributeKind;
  readonly optional: boolean;
  readonly enum?: readonly Json[] | null;
  readonly choices?: readonly {readonly name: string}[] | null;
  readonly parameters?: AttributeParameters;
};

export type ValueCheck =
  | {readonly ok: true; readonly value: Json}
  | {readonly ok: false; readonly problems: readonly string[]};

/**
 * The value in the form we store, or a sentence for each rule it breaks.
 *
 * Rules beyond the kind's own format look at the stored form, so a stored value passes again
 * unchanged whenever a schema change makes us look at it once more.
 */
export function checkValue(rules: AttributeRules, value: unknown): ValueCheck {
  const given = rules.kind === 'DateTime' && rules.optional && value === '' ? null : value;
  if (given === null || given === undefined) {
    return rules.optional
      ? {ok: true, value: null}
      : {ok: false, problems: [`${rules.name} is mandatory: it must have a value`]};
  }
  const checked = KIND_CHECKS[rules.kind](given);
  if (!checked.ok) return {ok: false, problems: [`${rules.name} ${checked.problem}`]};
  const problems = RULES.flatMap(rule => rule(rules, checked.value) ?? []);
  return problems.length === 0
    ? {ok: true, value: checked.value}
    : {ok: false, problems: problems.map(problem => `${rules.name} ${problem}`)};
}

/** Each says what is wrong, worded to follow the attribute's name, or null; in the order they are reported. */
const RULES: readonly ((rules: AttributeRules, value: Json) => string | null)[] = [
  regexProblem,
  minLengthProblem,
  maxLengthProblem,
  enumProblem,
  choiceProblem,
  numberProblem,
  excludedProblem,
];

function regexProblem(rules: AttributeRules, value: Json): string | null {
  const regex = rules.parameters?.regex;
  if (regex === null || regex === undefined || regex === '') return null;
  const invalid = checkRegex(regex);
  if (invalid !== null) return `cannot be checked: its regular expression ${regex} ${invalid}`;
  const items = rules.kind === 'List' && Array.isArray(value) ? (value as readonly Json[]) : [value];
  for (const item of items) {
    const outcome = matchFromStart(regex, typeof item === 'string' ? item : JSON.stringify(item));
    if (outcome === 'match') continue;
    const what = isSecret(rules.kind) ? 'the value given' : shown(item);
    const verdict = outcome === 'no-match' ? 'does not' : 'takes too long to tell';
    return `must match the regular expression ${regex}, ${what} ${verdict}`;
  }
  return null;
}

function minLengthProblem(rules: AttributeRules, value: Json): string | null {
  const min = rules.parameters?.min_length ?? null;
  const length = lengthOf(value);
  if (min === null || length === null || length.count >= min) return null;
  return `must have at least ${min} ${length.unit}, it has ${length.count}`;
}

function maxLengthProblem(rules: AttributeRules, value: Json): string | null {
  const max = rules.parameters?.max_length ?? null;
  const length = lengthOf(value);
  if (max === null || length === null || length.count <= max) return null;
  return `must have at most ${max} ${length.unit}, it has ${length.count}`;
}

function lengthOf(value: Json): {readonly count: number; readonly unit: string} | null {
  if (typeof value === 'string') return {count: codePointCount(value), unit: 'characters'};
  if (Array.isArray(value)) return {count: value.length, unit: 'items'};
  return null;
}

function enumProblem(rules: AttributeRules, value: Json): string | null {
  const members = rules.enum ?? null;
  if (members === null || members.some(member => isMember(rules.kind, member, value))) return null;
  return `must be one of ${members.map(shown).join(', ')}${isSecret(rules.kind) ? '' : `, not ${shown(value)}`}`;
}

/** An enum may spell its members as a user would write a value: both are compared in stored form. */
function isMember(kind: AttributeKind, member: Json, value: Json): boolean {
  if (sameJson(member, value)) return true;
  const checked = KIND_CHECKS[kind](member);
  return checked.ok && sameJson(checked.value, value);
}

function choiceProblem(rules: AttributeRules, value: Json): string | null {
  if (rules.kind !== 'Dropdown') return null;
  const names = (rules.choices ?? []).map(choice => choice.name);
  if (names.some(name => name === value)) return null;
  return `must be one of the choices ${names.map(shown).join(', ')}, not ${shown(value)}`;
}

function numberProblem(rules: AttributeRules, value: Json): string | null {
  if (typeof value !== 'number') return null;
  const parameters = rules.parameters ?? {};
  const min = rules.kind === 'NumberPool' ? (parameters.start_range ?? 1) : (parameters.min_value ?? null);
  const max = (rules.kind === 'NumberPool' ? parameters.end_range : parameters.max_value) ?? null;
  if (min !== null && value < min) return `must be at least ${min}, ${value} is less`;
  if (max !== null && value > max) return `must be at most ${max}, ${value} is more`;
  return null;
}

function excludedProblem(rules: AttributeRules, value: Json): string | null {
  const excluded = rules.parameters?.excluded_values ?? null;
  if (typeof value !== 'number' || excluded === null || excluded === '') return null;
  const parsed = parseNumberRanges(excluded);
  if (!parsed.ok) return `cannot be checked: in its excluded_values, ${parsed.problem}`;
  const range = parsed.ranges.find(({first, last}) => first <= value && value <= last);
  return range === undefined ? null : `must not be ${value}: ${shownRange(range)} is excluded`;
}

function isSecret(kind: AttributeKind): boolean {
  return kind === 'Password' || kind === 'HashedPassword';
}
