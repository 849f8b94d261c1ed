import {templateDepthMax} from '../limits.ts';
import {mentions} from './free-names.ts';
import type {Piece} from './lexer.ts';
import {isAssignable, parseExpression, parseOr} from './parse-expression.ts';
import {TemplateProblem} from './problem.ts';
import type {Branch, Statement} from './syntax.ts';
import {TokenStream} from './token-stream.ts';

type Reader = {readonly pieces: readonly Piece[]; position: number; depth: number};

/** A block that ends the statements before it: its keyword and the rest of its tag. */
type Ending = {readonly keyword: string; readonly tokens: TokenStream};

type Body = {readonly statements: readonly Statement[]; readonly ending: Ending | null};

export function parseStatements(pieces: readonly Piece[]): readonly Statement[] {
  return parseBody({pieces, position: 0, depth: 0}, []).statements;
}

function parseBody(reader: Reader, endings: readonly string[]): Body {
  const statements: Statement[] = [];
  for (;;) {
    const piece = reader.pieces[reader.position++];
    if (piece === undefined) return {statements, ending: null};
    if (piece.is === 'text') {
      statements.push(piece);
      continue;
    }
    const tokens = new TokenStream(piece.tokens);
    if (piece.is === 'output') {
      statements.push({is: 'output', expression: parseWhole(tokens)});
      continue;
    }
    const keyword = tokens.expectName('the name of a statement');
    if (endings.includes(keyword)) return {statements, ending: {keyword, tokens}};
    statements.push(parseStatement(reader, keyword, tokens));
  }
}

function parseStatement(reader: Reader, keyword: string, tokens: TokenStream): Statement {
  reader.depth++;
  if (reader.depth > templateDepthMax)
    throw new TemplateProblem(`blocks are nested deeper than ${templateDepthMax}`);
  const statement = parseKnown(reader, keyword, tokens);
  reader.depth--;
  return statement;
}

function parseKnown(reader: Reader, keyword: string, tokens: TokenStream): Statement {
  if (keyword === 'if') return parseIf(reader, tokens);
  if (keyword === 'for') return parseFor(reader, tokens);
  if (keyword === 'set') return parseSet(tokens);
  if (/^(?:end|el)/.test(keyword)) throw new TemplateProblem(`{% ${keyword} %} is unexpected here`);
  throw new TemplateProblem(`the statement ${keyword} is not supported; if, for and set are`);
}

function parseIf(reader: Reader, tokens: TokenStream): Statement {
  const branches: Branch[] = [];
  let condition = tokens;
  for (;;) {
    const test = parseOr(condition);
    condition.expectEnd();
    const {statements, ending} = parseBody(reader, ['elif', 'else', 'endif']);
    branches.push({test, body: statements});
    if (ending === null) throw new TemplateProblem('an {% if %} is never closed by {% endif %}');
    if (ending.keyword === 'elif') {
      condition = ending.tokens;
      continue;
    }
    ending.tokens.expectEnd();
    if (ending.keyword === 'endif') return {is: 'if', branches, otherwise: []};
    return {is: 'if', branches, otherwise: parseLastBody(reader, 'if')};
  }
}

function parseFor(reader: Reader, tokens: TokenStream): Statement {
  const variable = parseTarget(tokens);
  if (!tokens.skipName('in')) throw new TemplateProblem(`in is expected after {% for ${variable}`);
  const items = parseOr(tokens);
  const filter = tokens.skipName('if') ? parseExpression(tokens) : null;
  if (filter !== null && mentions(filter, 'loop'))
    throw new TemplateProblem('loop is not known yet in the if of a for');
  if (tokens.isName('recursive')) throw new TemplateProblem('a recursive for is not supported');
  tokens.expectEnd();
  const {statements, ending} = parseBody(reader, ['else', 'endfor']);
  if (ending === null) throw new TemplateProblem('a {% for %} is never closed by {% endfor %}');
  ending.tokens.expectEnd();
  const otherwise = ending.keyword === 'else' ? parseLastBody(reader, 'for') : [];
  return {is: 'for', variable, items, filter, body: statements, otherwise};
}

function parseLastBody(reader: Reader, keyword: string): readonly Statement[] {
  const {statements, ending} = parseBody(reader, [`end${keyword}`]);
  if (ending === null) throw new TemplateProblem(`an {% else %} is never closed by {% end${keyword} %}`);
  ending.tokens.expectEnd();
  return statements;
}

function parseSet(tokens: TokenStream): Statement {
  const name = parseTarget(tokens);
  if (!tokens.skipOperator('=')) {
    throw new TemplateProblem(
      `= is expected after {% set ${name}; the block form with endset is not supported`,
    );
  }
  return {is: 'set', name, value: parseWhole(tokens)};
}

function parseTarget(tokens: TokenStream): string {
  const name = tokens.expectName('the name of a variable');
  if (!isAssignable(name)) throw new TemplateProblem(`${name} cannot be the name of a variable`);
  if (tokens.isOperator(','))
    throw new TemplateProblem('assigning to several names at once is not supported');
  if (tokens.isOperator('.')) throw new TemplateProblem('assigning to an attribute is not supported');
  return name;
}

function parseWhole(tokens: TokenStream) {
  if (tokens.peek() === undefined)
    throw new TemplateProblem('a tag is empty where an expression is expected');
  const expression = parseExpression(tokens);
  tokens.expectEnd();
  return expression;
}
