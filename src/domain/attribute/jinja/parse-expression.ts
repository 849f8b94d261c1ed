import {FILTER_NAMES, filterNamed, isFilterName} from './filters.ts';
import type {ArithmeticOperator, CompareOperator} from './operators.ts';
import {TemplateProblem} from './problem.ts';
import type {Arguments, Comparison, Expression} from './syntax.ts';
import type {Token} from './token.ts';
import type {TokenStream} from './token-stream.ts';
import {isTestName, TEST_NAMES} from './value-tests.ts';

const CONSTANTS: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};

/** Words of the language, which Jinja2 would take for names in places where they make no sense. */
const RESERVED: ReadonlySet<string> = new Set(['not', 'and', 'or', 'in', 'is', 'if', 'else']);

/** Whether a template may assign to the name. */
export const isAssignable = (name: string): boolean =>
  !isConstantName(name) && !RESERVED.has(name) && name !== 'loop' && name !== 'self';

const isConstantName = (name: string): boolean => Object.hasOwn(CONSTANTS, name);

export function parseExpression(tokens: TokenStream): Expression {
  return tokens.nested(() => {
    let expression = parseOr(tokens);
    while (tokens.skipName('if')) {
      const test = parseOr(tokens);
      const otherwise = tokens.skipName('else') ? parseExpression(tokens) : null;
      expression = {is: 'choose', test, value: expression, otherwise};
    }
    return expression;
  });
}

/** An expression in which a bare `if` means something else: the condition of a block, the items of a loop. */
export function parseOr(tokens: TokenStream): Expression {
  let left = parseAnd(tokens);
  while (tokens.skipName('or')) left = {is: 'or', left, right: parseAnd(tokens)};
  return left;
}

function parseAnd(tokens: TokenStream): Expression {
  let left = parseNot(tokens);
  while (tokens.skipName('and')) left = {is: 'and', left, right: parseNot(tokens)};
  return left;
}

function parseNot(tokens: TokenStream): Expression {
  if (!tokens.skipName('not')) return parseCompare(tokens);
  return {is: 'not', operand: tokens.nested(() => parseNot(tokens))};
}

function parseCompare(tokens: TokenStream): Expression {
  const first = parseSum(tokens);
  const rest: Comparison[] = [];
  for (let operator = compareOperator(tokens); operator !== null; operator = compareOperator(tokens)) {
    rest.push({operator, operand: parseSum(tokens)});
  }
  return rest.length === 0 ? first : {is: 'compare', first, rest};
}

function compareOperator(tokens: TokenStream): CompareOperator | null {
  for (const operator of ['==', '!=', '<', '<=', '>', '>='] as const) {
    if (tokens.skipOperator(operator)) return operator;
  }
  if (tokens.skipName('in')) return 'in';
  if (!tokens.isName('not') || !tokens.isName('in', 1)) return null;
  tokens.take();
  tokens.take();
  return 'not in';
}

function parseSum(tokens: TokenStream): Expression {
  return parseArithmetic(tokens, ['+', '-'], parseConcat);
}

/** `~` binds tighter than `+`, as in Jinja2. */
function parseConcat(tokens: TokenStream): Expression {
  const parts = [parseProduct(tokens)];
  while (tokens.skipOperator('~')) parts.push(parseProduct(tokens));
  return parts.length === 1 ? (parts[0] as Expression) : {is: 'concat', parts};
}

function parseProduct(tokens: TokenStream): Expression {
  return parseArithmetic(tokens, ['*', '/', '//', '%'], parsePower);
}

/** From left to right, as in Jinja2 and unlike Python. */
function parsePower(tokens: TokenStream): Expression {
  return parseArithmetic(tokens, ['**'], parseUnary);
}

function parseArithmetic(
  tokens: TokenStream,
  operators: readonly ArithmeticOperator[],
  parseOperand: (tokens: TokenStream) => Expression,
): Expression {
  let left = parseOperand(tokens);
  for (;;) {
    const operator = operators.find(candidate => tokens.skipOperator(candidate));
    if (operator === undefined) return left;
    left = {is: 'arithmetic', operator, left, right: parseOperand(tokens)};
  }
}

/** A filter or test applies to the signed value: `-1|abs` is `(-1)|abs`. */
function parseUnary(tokens: TokenStream): Expression {
  return parseFilters(tokens, parseSigned(tokens));
}

function parseSigned(tokens: TokenStream): Expression {
  for (const sign of ['-', '+']) {
    if (!tokens.skipOperator(sign)) continue;
    const operand = tokens.nested(() => parseSigned(tokens));
    return parsePostfix(tokens, {is: 'sign', negative: sign === '-', operand});
  }
  return parsePostfix(tokens, parsePrimary(tokens));
}

function parsePrimary(tokens: TokenStream): Expression {
  const token = tokens.take();
  switch (token.is) {
    case 'name':
      return parseName(token.name);
    case 'string':
      return {is: 'constant', value: token.text + adjacentStrings(tokens)};
    case 'number':
      return {is: 'constant', value: token.value};
    case 'operator':
      return parseBracketed(tokens, token.operator);
  }
}

function parseName(name: string): Expression {
  if (RESERVED.has(name)) throw new TemplateProblem(`${name} is unexpected; put what belongs to it in ( )`);
  if (name === 'self') throw new TemplateProblem('the name self is not supported');
  return isConstantName(name)
    ? {is: 'constant', value: CONSTANTS[name] as boolean | null}
    : {is: 'name', name};
}

function adjacentStrings(tokens: TokenStream): string {
  let text = '';
  for (let next = tokens.peek(); next?.is === 'string'; next = tokens.peek()) {
    text += next.text;
    tokens.take();
  }
  return text;
}

function parseBracketed(tokens: TokenStream, opening: string): Expression {
  if (opening === '(') {
    if (tokens.isOperator(')')) throw new TemplateProblem('tuples are not supported; write a list in [ ]');
    const expression = parseExpression(tokens);
    if (tokens.isOperator(',')) throw new TemplateProblem('tuples are not supported; write a list in [ ]');
    tokens.expectOperator(')');
    return expression;
  }
  if (opening === '[') return {is: 'list', items: parseItems(tokens)};
  if (opening === '{') throw new TemplateProblem('dictionaries in { } are not supported');
  throw new TemplateProblem(`${opening} is unexpected`);
}

function parseItems(tokens: TokenStream): Expression[] {
  const items: Expression[] = [];
  while (!tokens.skipOperator(']')) {
    if (items.length > 0) tokens.expectOperator(',');
    if (items.length > 0 && tokens.skipOperator(']')) break;
    items.push(parseExpression(tokens));
  }
  return items;
}

function parsePostfix(tokens: TokenStream, expression: Expression): Expression {
  let target = expression;
  for (;;) {
    if (tokens.isOperator('(')) throw new TemplateProblem('calls are not supported; use a filter instead');
    if (tokens.skipOperator('.')) target = parseDot(target, tokens.take());
    else if (tokens.skipOperator('[')) target = {is: 'item', target, key: parseKey(tokens)};
    else return target;
  }
}

function parseDot(target: Expression, token: Token): Expression {
  if (token.is === 'name') return {is: 'attribute', target, name: token.name};
  if (token.is === 'number' && typeof token.value === 'number') {
    return {is: 'item', target, key: {is: 'constant', value: token.value}};
  }
  throw new TemplateProblem('a name or number is expected after a dot');
}

function parseKey(tokens: TokenStream): Expression {
  if (tokens.isOperator(':')) throw new TemplateProblem('slices are not supported');
  const key = parseExpression(tokens);
  if (tokens.isOperator(':')) throw new TemplateProblem('slices are not supported');
  tokens.expectOperator(']');
  return key;
}

function parseFilters(tokens: TokenStream, expression: Expression): Expression {
  let target = expression;
  for (;;) {
    if (tokens.skipOperator('|')) target = parseFilter(tokens, target);
    else if (tokens.skipName('is')) target = parseTest(tokens, target);
    else if (tokens.isOperator('(')) throw new TemplateProblem('calls are not supported');
    else return target;
  }
}

function parseFilter(tokens: TokenStream, target: Expression): Expression {
  const name = tokens.expectName('the name of a filter');
  if (!isFilterName(name)) {
    throw new TemplateProblem(`the filter ${name} is not supported; these are: ${FILTER_NAMES.join(', ')}`);
  }
  const args = tokens.skipOperator('(') ? parseArguments(tokens) : {positional: [], named: {}};
  checkArguments(name, filterNamed(name), args);
  return {is: 'filter', name, target, args};
}

function parseArguments(tokens: TokenStream): Arguments {
  const positional: Expression[] = [];
  const named = new Map<string, Expression>();
  for (let count = 0; !tokens.skipOperator(')'); count++) {
    if (count > 0) tokens.expectOperator(',');
    if (count > 0 && tokens.skipOperator(')')) break;
    const [token, next] = [tokens.peek(), tokens.peek(1)];
    if (token?.is === 'name' && next?.is === 'operator' && next.operator === '=') {
      tokens.take();
      tokens.take();
      if (named.has(token.name)) throw new TemplateProblem(`the argument ${token.name} is given twice`);
      named.set(token.name, parseExpression(tokens));
    } else {
      if (named.size > 0) throw new TemplateProblem('an argument without a name follows one with a name');
      positional.push(parseExpression(tokens));
    }
  }
  return {positional, named: Object.fromEntries(named)};
}

function checkArguments(
  name: string,
  filter: {readonly parameters: readonly string[]; readonly required: number},
  args: Arguments,
): void {
  const {parameters, required} = filter;
  const given = new Set(parameters.slice(0, args.positional.length));
  const supported = parameters.length === 0 ? 'none' : parameters.join(', ');
  if (args.positional.length > parameters.length) {
    throw new TemplateProblem(`the filter ${name} is given too many arguments; supported: ${supported}`);
  }
  for (const argument of Object.keys(args.named)) {
    if (!parameters.includes(argument)) {
      throw new TemplateProblem(
        `the argument ${argument} of the filter ${name} is not supported; supported: ${supported}`,
      );
    }
    if (given.has(argument)) throw new TemplateProblem(`the argument ${argument} is given twice`);
    given.add(argument);
  }
  const missing = parameters.slice(0, required).find(parameter => !given.has(parameter));
  if (missing !== undefined) throw new TemplateProblem(`the filter ${name} needs the argument ${missing}`);
}

function parseTest(tokens: TokenStream, target: Expression): Expression {
  const isNegated = tokens.skipName('not');
  const name = tokens.expectName('the name of a test');
  if (!isTestName(name)) {
    throw new TemplateProblem(`the test ${name} is not supported; these are: ${TEST_NAMES.join(', ')}`);
  }
  if (hasTestArgument(tokens))
    throw new TemplateProblem(`the test ${name} takes no argument, ${tokens.shownNext()} follows it`);
  const test: Expression = {is: 'test', name, target};
  return isNegated ? {is: 'not', operand: test} : test;
}

/** Jinja2 takes whatever could begin a value for the argument of a test, an `if` or `in` included. */
function hasTestArgument(tokens: TokenStream): boolean {
  const next = tokens.peek();
  if (next === undefined) return false;
  if (next.is === 'operator') return '([{'.includes(next.operator);
  return next.is !== 'name' || !['and', 'or', 'else'].includes(next.name);
}
