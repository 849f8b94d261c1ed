import {attributeOf, itemOf} from './access.ts';
import type {Budget} from './budget.ts';
import type {FilterArguments} from './filter.ts';
import {applyFilter, filterNamed} from './filters.ts';
import {calculate, compares, signed} from './operators.ts';
import {pythonText} from './python-text.ts';
import type {Arguments, Comparison, Expression} from './syntax.ts';
import {noElse, truth, type Value} from './value.ts';
import {passesTest} from './value-tests.ts';

/** Where names are looked up, innermost first, and what the rendering may still do. */
export type Scope = {readonly lookUp: (name: string) => Value; readonly budget: Budget};

export function evaluate(expression: Expression, scope: Scope): Value {
  scope.budget.spend(1);
  switch (expression.is) {
    case 'constant':
      return expression.value;
    case 'name':
      return scope.lookUp(expression.name);
    case 'attribute':
      return attributeOf(evaluate(expression.target, scope), expression.name);
    case 'item':
      return itemOf(evaluate(expression.target, scope), evaluate(expression.key, scope));
    case 'list':
      return expression.items.map(item => evaluate(item, scope));
    case 'sign':
      return signed(expression.negative, evaluate(expression.operand, scope));
    case 'not':
      return !truth(evaluate(expression.operand, scope));
    case 'arithmetic': {
      const left = evaluate(expression.left, scope);
      return calculate(expression.operator, left, evaluate(expression.right, scope), scope.budget);
    }
    case 'and': {
      const left = evaluate(expression.left, scope);
      return truth(left) ? evaluate(expression.right, scope) : left;
    }
    case 'or': {
      const left = evaluate(expression.left, scope);
      return truth(left) ? left : evaluate(expression.right, scope);
    }
    case 'concat':
      return concatenated(expression.parts, scope);
    case 'compare':
      return comparesAll(expression.first, expression.rest, scope);
    case 'choose':
      return chosen(expression, scope);
    case 'filter': {
      const value = evaluate(expression.target, scope);
      return applyFilter(expression.name, value, argumentsOf(expression, scope), scope.budget);
    }
    case 'test':
      return passesTest(expression.name, evaluate(expression.target, scope), scope.budget);
  }
}

function concatenated(parts: readonly Expression[], scope: Scope): string {
  const texts = parts.map(part => pythonText(evaluate(part, scope), scope.budget));
  scope.budget.spendText(texts.reduce((sum, text) => sum + text.length, 0));
  return texts.join('');
}

/** `a < b < c`, where each operand is evaluated once and the first comparison that fails ends it. */
function comparesAll(first: Expression, rest: readonly Comparison[], scope: Scope): boolean {
  let left = evaluate(first, scope);
  for (const {operator, operand} of rest) {
    const right = evaluate(operand, scope);
    if (!compares(operator, left, right, scope.budget)) return false;
    left = right;
  }
  return true;
}

function chosen(expression: Extract<Expression, {is: 'choose'}>, scope: Scope): Value {
  if (truth(evaluate(expression.test, scope))) return evaluate(expression.value, scope);
  if (expression.otherwise !== null) return evaluate(expression.otherwise, scope);
  return noElse();
}

function argumentsOf(expression: Extract<Expression, {is: 'filter'}>, scope: Scope): FilterArguments {
  const {positional, named}: Arguments = expression.args;
  return filterNamed(expression.name).parameters.map((parameter, index) => {
    const given = positional[index] ?? named[parameter];
    return given === undefined ? undefined : evaluate(given, scope);
  });
}
