import {TemplateProblem} from './problem.ts';

const SIMPLE: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const ESCAPE = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|.)/gs;

/** What a Python text literal means; an escape Python does not know keeps its backslash. */
export function unescapeString(body: string): string {
  const text = body.replace(ESCAPE, escaped => {
    const letter = escaped.charAt(1);
    if (escaped.length > 2 && !/[0-7]/.test(letter))
      return character(Number.parseInt(escaped.slice(2), 16), escaped);
    if (/[0-7]/.test(letter)) return String.fromCharCode(Number.parseInt(escaped.slice(1), 8));
    if (/[xuUN]/.test(letter))
      throw new TemplateProblem(`the escape sequence ${escaped} in a text is not supported`);
    return SIMPLE[letter] ?? escaped;
  });
  if (!text.isWellFormed()) throw new TemplateProblem('a text contains half of a surrogate pair');
  return text;
}

function character(codePoint: number, escaped: string): string {
  if (codePoint > 0x10ffff) throw new TemplateProblem(`${escaped} is no character`);
  return String.fromCodePoint(codePoint);
}
