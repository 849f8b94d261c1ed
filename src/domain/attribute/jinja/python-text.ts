import type {Budget} from './budget.ts';
import {TemplateProblem} from './problem.ts';
import {defined, isDict, isList, numeric, typeName, Undefined, type Value} from './value.ts';

/** `str(value)` of Python. */
export function pythonText(value: Value, budget: Budget): string {
  const used = defined(value);
  if (typeof used === 'string') return used;
  if (used instanceof Undefined) return '';
  const text = representation(used, budget);
  budget.spendText(text.length);
  return text;
}

function representation(value: Value, budget: Budget): string {
  budget.spend(1);
  if (value === null) return 'None';
  if (value instanceof Undefined) return 'Undefined';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') {
    budget.spendText(value.length);
    return quoted(value);
  }
  const number = numeric(value);
  if (number !== null) return number.float ? floatText(number.number) : String(number.number);
  if (isList(value)) {
    return budget.nested(() => `[${value.map(item => representation(item, budget)).join(', ')}]`);
  }
  if (isDict(value)) {
    const items = budget.nested(() =>
      Object.entries(value).map(([key, item]) => `${quoted(key)}: ${representation(item, budget)}`),
    );
    return `{${items.join(', ')}}`;
  }
  throw new TemplateProblem(`a value of type ${typeName(value)} has no text: add |list or |join to it`);
}

function floatText(number: number): string {
  if (Number.isNaN(number)) return 'nan';
  const sign = number < 0 || Object.is(number, -0) ? '-' : '';
  if (!Number.isFinite(number)) return `${sign}inf`;
  const [mantissa, exponentText] = Math.abs(number).toExponential().split('e') as [string, string];
  const digits = mantissa.replace('.', '');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) {
    const shown = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${shown}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

const ESCAPES: Readonly<Record<string, string>> = {'\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t'};

/** `repr` of a text: what Python does not count as printable is escaped. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\'"]|(?! )[\p{C}\p{Z}]/gu, char => {
    if (char === "'" || char === '"') return char === quote ? `\\${char}` : char;
    return ESCAPES[char] ?? escapedCodePoint(char.codePointAt(0) as number);
  });
  return quote + body + quote;
}

function escapedCodePoint(codePoint: number): string {
  const hex = codePoint.toString(16);
  if (codePoint <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return codePoint <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
