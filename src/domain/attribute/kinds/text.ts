import {textLengthMax} from '../limits.ts';
import {accept, type Checked, refuse, typeName} from './checked.ts';

/**
 * The kinds whose value is any short text: the reference checks neither the syntax of an e-mail
 * address nor that of a colour, and documents in the wild rely on it.
 */
export function checkText(value: unknown): Checked {
  if (typeof value !== 'string') return refuse(`must be a text, not ${typeName(value)}`);
  const problem = textProblem(value) ?? lengthProblem(value);
  return problem === null ? accept(value) : refuse(problem);
}

/** Why no attribute can hold this text: databases and UTF-8 cannot carry it. */
export function textProblem(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain the character U+0000';
  if (!text.isWellFormed()) return 'must be well-formed Unicode: it contains half of a surrogate pair';
  return null;
}

function lengthProblem(text: string): string | null {
  if (text.length <= textLengthMax) return null;
  const length = codePointCount(text);
  if (length <= textLengthMax) return null;
  return `must have at most ${textLengthMax} characters, it has ${length}; use the kind TextArea for long text`;
}

export function codePointCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) count--;
  }
  return count;
}
