import {type Filter, integerArgument, plain} from './filter.ts';
import {TemplateProblem} from './problem.ts';
import {stripped} from './text-filters.ts';
import {defined, exactInteger, Float, type Numeric, numeric, present, typeName, type Value} from './value.ts';

export const abs = plain(value => {
  const number = numeric(value);
  if (number === null) throw new TemplateProblem(`abs needs a number, not ${typeName(value)}`);
  return made(number, Math.abs(number.number));
});

export const int: Filter = {
  parameters: ['default'],
  required: 0,
  apply: (value, [otherwise = 0]) => toInteger(present(value)) ?? otherwise,
};

export const float: Filter = {
  parameters: ['default'],
  required: 0,
  apply: (value, [otherwise = new Float(0)]) => {
    const number =
      typeof value === 'string' ? parseFloatText(value) : (numeric(present(value))?.number ?? null);
    return number === null ? otherwise : new Float(number);
  },
};

function toInteger(value: Value): number | null {
  if (typeof value === 'string') return parseIntegerText(value) ?? truncated(parseFloatText(value));
  const number = numeric(value);
  if (number === null) return null;
  if (Math.abs(number.number) === Number.POSITIVE_INFINITY) {
    throw new TemplateProblem('infinity cannot be made an integer');
  }
  return truncated(number.number);
}

function truncated(number: number | null): number | null {
  return number === null || !Number.isFinite(number) ? null : exactInteger(Math.trunc(number));
}

function parseIntegerText(text: string): number | null {
  const trimmed = asciiNumber(text);
  return /^[+-]?\d+(?:_\d+)*$/.test(trimmed) ? exactInteger(Number(trimmed.replaceAll('_', ''))) : null;
}

const FLOAT =
  /^[+-]?(?:inf(?:inity)?|nan|(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?)$/i;

function parseFloatText(text: string): number | null {
  const trimmed = asciiNumber(text);
  if (!FLOAT.test(trimmed)) return null;
  const infinite = /^([+-]?)inf/i.exec(trimmed);
  if (infinite !== null) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(trimmed.replaceAll('_', ''));
}

/** Python also reads the digits of other scripts; rather than read them otherwise, we stop. */
function asciiNumber(text: string): string {
  if (/(?![0-9])\p{Nd}/u.test(text))
    throw new TemplateProblem('only the digits 0 to 9 are supported in numbers');
  return stripped(text);
}

export const round: Filter = {
  parameters: ['precision', 'method'],
  required: 0,
  apply: (value, [precisionArgument, method = 'common']) => {
    const number = numeric(defined(value));
    const precision = integerArgument(precisionArgument, 0);
    if (number === null) throw new TemplateProblem(`round needs a number, not ${typeName(value)}`);
    if (method === 'common') return rounded(number, precision);
    if (method !== 'ceil' && method !== 'floor')
      throw new TemplateProblem('round knows common, ceil and floor');
    if (precision < 0) throw new TemplateProblem(`round with ${method} needs a precision from 0`);
    const factor = exactInteger(10 ** precision);
    const scaled = made(number, number.number * factor);
    const whole = exactInteger(Math[method](numeric(scaled)?.number ?? 0));
    return new Float(whole / factor);
  },
};

function rounded(value: Numeric, precision: number): Value {
  if (!value.float && precision >= 0) return value.number;
  if (!Number.isFinite(value.number) || precision > 400) return made(value, value.number);
  if (precision < -400) return made(value, value.number < 0 && value.float ? -0 : 0);
  const magnitude = Number(`${halfEven(Math.abs(value.number), precision)}e${-precision}`);
  return made(value, value.number < 0 || Object.is(value.number, -0) ? -magnitude : magnitude);
}

/** `number` × 10^precision as an integer, decided on the exact binary value; ties go to the even one. */
function halfEven(number: number, precision: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, number);
  const exponentBits = Number((bits.getBigUint64(0) >> 52n) & 0x7ffn);
  const fraction = bits.getBigUint64(0) & 0xf_ffff_ffff_ffffn;
  const mantissa = exponentBits === 0 ? fraction : fraction | (1n << 52n);
  const exponent = Math.max(exponentBits, 1) - 1075;
  const numerator = mantissa * power(2n, exponent) * power(10n, precision);
  const denominator = power(2n, -exponent) * power(10n, -precision);
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

function power(base: bigint, exponent: number): bigint {
  return exponent > 0 ? base ** BigInt(exponent) : 1n;
}

function made(like: Numeric, number: number): Value {
  return like.float ? new Float(number) : exactInteger(number);
}
