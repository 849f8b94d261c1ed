import {accept, type Checked, refuse, typeName} from './checked.ts';

/** Integers that JSON carries exactly between any two programs: up to 2^53 - 1 either way. */
export function checkNumber(value: unknown): Checked {
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    return refuse(`must be an integer, not ${typeName(value)}`);
  }
  const number = Number(value);
  if (!Number.isInteger(number)) return refuse(`must be an integer, ${value} is not`);
  if (!Number.isSafeInteger(number)) {
    return refuse(
      `must be an integer between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}, ${value} is beyond`,
    );
  }
  return accept(number === 0 ? 0 : number);
}
