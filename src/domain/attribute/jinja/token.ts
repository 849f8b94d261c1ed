import {PYTHON_SPACE} from '../python-space.ts';
import {TemplateProblem} from './problem.ts';
import {unescapeString} from './string-literal.ts';
import {Float} from './value.ts';

export type Token =
  | {readonly is: 'name'; readonly name: string}
  | {readonly is: 'string'; readonly text: string}
  | {readonly is: 'number'; readonly value: number | Float}
  | {readonly is: 'operator'; readonly operator: string};

const SPACE = new RegExp(`${PYTHON_SPACE}+`, 'uy');
const FLOAT = /(?<!\.)\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)/iy;
const INTEGER = /0[box][0-9a-f_]+|\d[\d_]*/iy;
const NAME = /[\p{L}\p{N}_\p{M}]+/uy;
const STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy;
const OPERATOR = /\*\*|\/\/|==|!=|>=|<=|[-+*/%~()[\]{}><=.:|,;]/y;

/** The token at a position and where it ends; null where there is only white space. */
export function readToken(
  text: string,
  position: number,
): {readonly token: Token | null; readonly end: number} {
  const at = (pattern: RegExp): string | null => {
    pattern.lastIndex = position;
    return pattern.exec(text)?.[0] ?? null;
  };
  const found = (token: Token | null, source: string) => ({token, end: position + source.length});

  const space = at(SPACE);
  if (space !== null) return found(null, space);
  const float = at(FLOAT);
  if (float !== null) return found({is: 'number', value: new Float(Number(float))}, float);
  const integer = at(INTEGER);
  if (integer !== null) return found({is: 'number', value: integerValue(integer)}, integer);
  const name = at(NAME);
  if (name !== null) return found({is: 'name', name: checkedName(name)}, name);
  const string = at(STRING);
  if (string !== null) return found({is: 'string', text: unescapeString(string.slice(1, -1))}, string);
  const operator = at(OPERATOR);
  if (operator !== null) return found({is: 'operator', operator}, operator);
  throw new TemplateProblem(
    `${JSON.stringify(String.fromCodePoint(text.codePointAt(position) as number))} is unexpected`,
  );
}

function integerValue(text: string): number {
  if (!/^(?:0+|[1-9]\d*)$/.test(text))
    throw new TemplateProblem(`the number ${text} must be written in plain digits`);
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new TemplateProblem(`the number ${text} is beyond 9007199254740991`);
  return value;
}

function checkedName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name;
  throw new TemplateProblem(`the name ${name} must have only letters a to z, digits and _`);
}
