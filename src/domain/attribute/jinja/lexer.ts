import {templateTagTokensMax} from '../limits.ts';
import {PYTHON_SPACE} from '../python-space.ts';
import {TemplateProblem} from './problem.ts';
import {readToken, type Token} from './token.ts';

export type TemplateOptions = {
  /** Drop the line feed after a block or comment. */
  readonly trimBlocks: boolean;
  /** Drop the white space before a block or comment that begins its line. */
  readonly lstripBlocks: boolean;
};

export type Piece =
  | {readonly is: 'text'; readonly text: string}
  | {readonly is: 'output'; readonly tokens: readonly Token[]}
  | {readonly is: 'block'; readonly tokens: readonly Token[]};

type Tag = '{{' | '{%' | '{#';

const CLOSING = {'{{': '}}', '{%': '%}', '{#': '#}'} as const satisfies Record<Tag, string>;

const SPACE_AHEAD = new RegExp(`${PYTHON_SPACE}*`, 'uy');
const SPACE_AT_END = new RegExp(`${PYTHON_SPACE}+$`, 'u');
const ONLY_SPACE = new RegExp(`^${PYTHON_SPACE}+$`, 'u');

/** A template's plain text and its tags, white space control already applied. */
export function readPieces(template: string, options: TemplateOptions): Piece[] {
  const text = template.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  const pieces: Piece[] = [];
  let position = 0;
  let isLineStart = true;
  while (position < text.length) {
    const start = nextTag(text, position);
    const plain = text.slice(position, start);
    if (start === text.length) {
      pieces.push({is: 'text', text: plain});
      break;
    }
    const tag = text.slice(start, start + 2) as Tag;
    const sign = /[-+]/.exec(text.charAt(start + 2))?.[0] ?? '';
    const kept = withoutSpace(plain, tag, sign, isLineStart && options.lstripBlocks, options.lstripBlocks);
    if (kept !== '') pieces.push({is: 'text', text: kept});
    const inside = readTag(text, start + 2 + sign.length, tag, options.trimBlocks);
    if (inside.piece !== null) pieces.push(inside.piece);
    position = inside.end;
    isLineStart = text.charAt(position - 1) === '\n';
  }
  return pieces;
}

function nextTag(text: string, from: number): number {
  const tags = /\{[{%#]/g;
  tags.lastIndex = from;
  return tags.exec(text)?.index ?? text.length;
}

function withoutSpace(plain: string, tag: Tag, sign: string, isLineStart: boolean, lstrip: boolean): string {
  if (sign === '-') return plain.replace(SPACE_AT_END, '');
  if (!lstrip || sign === '+' || tag === '{{') return plain;
  const lineStart = plain.lastIndexOf('\n') + 1;
  const isStrippable = (lineStart > 0 || isLineStart) && ONLY_SPACE.test(plain.slice(lineStart));
  return isStrippable ? plain.slice(0, lineStart) : plain;
}

function readTag(
  text: string,
  from: number,
  tag: Tag,
  trimBlocks: boolean,
): {readonly piece: Piece | null; readonly end: number} {
  if (tag === '{#') return {piece: null, end: commentEnd(text, from, trimBlocks)};
  const tokens: Token[] = [];
  let position = from;
  let open = 0;
  while (position < text.length) {
    const end = open > 0 ? null : tagEnd(text, position, tag, trimBlocks);
    if (end !== null) return {piece: {is: tag === '{{' ? 'output' : 'block', tokens}, end};
    const read = readToken(text, position);
    position = read.end;
    if (read.token === null) continue;
    tokens.push(read.token);
    if (tokens.length > templateTagTokensMax) {
      throw new TemplateProblem(`a tag has more than ${templateTagTokensMax} words and signs`);
    }
    if (tag === '{%' && tokens.length === 1 && read.token.is === 'name' && read.token.name === 'raw') {
      throw new TemplateProblem('the statement raw is not supported');
    }
    if (read.token.is === 'operator') open = Math.max(0, open + bracketStep(read.token.operator));
  }
  throw new TemplateProblem(`a ${tag} is never closed by ${CLOSING[tag]}`);
}

/** Inside brackets the end of a tag is not looked for. */
function bracketStep(operator: string): number {
  if ('([{'.includes(operator)) return 1;
  return ')]}'.includes(operator) ? -1 : 0;
}

function tagEnd(text: string, position: number, tag: Tag, trimBlocks: boolean): number | null {
  const closing = CLOSING[tag];
  if (text.startsWith(`-${closing}`, position)) return afterSpace(text, position + 1 + closing.length);
  if (tag === '{{') return text.startsWith(closing, position) ? position + closing.length : null;
  if (text.startsWith(`+${closing}`, position)) return position + 1 + closing.length;
  if (!text.startsWith(closing, position)) return null;
  const end = position + closing.length;
  return trimBlocks && text.charAt(end) === '\n' ? end + 1 : end;
}

function commentEnd(text: string, from: number, trimBlocks: boolean): number {
  const closing = text.indexOf('#}', from);
  if (closing === -1) throw new TemplateProblem('a {# is never closed by #}');
  const hasSign = closing > from && /[-+]/.test(text.charAt(closing - 1));
  return tagEnd(text, hasSign ? closing - 1 : closing, '{#', trimBlocks) ?? closing + 2;
}

function afterSpace(text: string, position: number): number {
  SPACE_AHEAD.lastIndex = position;
  return position + (SPACE_AHEAD.exec(text)?.[0].length ?? 0);
}
