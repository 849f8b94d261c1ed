import type {Expression, Statement} from './syntax.ts';

/**
 * The names a template may read from its variables: those loaded at a place where no `set` or `for`
 * has certainly given them a value.
 */
export function freeNames(statements: readonly Statement[]): readonly string[] {
  const free = new Set<string>();
  visitAll(statements, new Set(), free);
  return [...free].sort();
}

/** Visits in order of execution; `bound` gains what the statements certainly assign. */
function visitAll(statements: readonly Statement[], bound: Set<string>, free: Set<string>): void {
  for (const statement of statements) visit(statement, bound, free);
}

function visit(statement: Statement, bound: Set<string>, free: Set<string>): void {
  switch (statement.is) {
    case 'text':
      return;
    case 'output':
      load(statement.expression, bound, free);
      return;
    case 'set':
      load(statement.value, bound, free);
      bound.add(statement.name);
      return;
    case 'if': {
      const outcomes = statement.branches.map(branch => {
        load(branch.test, bound, free);
        return visitInside(branch.body, bound, free);
      });
      outcomes.push(visitInside(statement.otherwise, bound, free));
      const [first, ...others] = outcomes as [Set<string>, ...Set<string>[]];
      for (const name of first) if (others.every(outcome => outcome.has(name))) bound.add(name);
      return;
    }
    case 'for': {
      load(statement.items, bound, free);
      if (statement.filter !== null) load(statement.filter, new Set([...bound, statement.variable]), free);
      visitInside(statement.body, new Set([...bound, statement.variable, 'loop']), free);
      visitInside(statement.otherwise, bound, free);
    }
  }
}

function visitInside(
  statements: readonly Statement[],
  bound: ReadonlySet<string>,
  free: Set<string>,
): Set<string> {
  const inside = new Set(bound);
  visitAll(statements, inside, free);
  return inside;
}

function load(expression: Expression, bound: ReadonlySet<string>, free: Set<string>): void {
  if (expression.is === 'name' && !bound.has(expression.name)) free.add(expression.name);
  for (const part of partsOf(expression)) load(part, bound, free);
}

export function mentions(expression: Expression, name: string): boolean {
  if (expression.is === 'name') return expression.name === name;
  return partsOf(expression).some(part => mentions(part, name));
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.is) {
    case 'constant':
    case 'name':
      return [];
    case 'attribute':
    case 'test':
      return [expression.target];
    case 'item':
      return [expression.target, expression.key];
    case 'list':
      return expression.items;
    case 'sign':
    case 'not':
      return [expression.operand];
    case 'arithmetic':
    case 'and':
    case 'or':
      return [expression.left, expression.right];
    case 'concat':
      return expression.parts;
    case 'compare':
      return [expression.first, ...expression.rest.map(({operand}) => operand)];
    case 'choose':
      return [
        expression.test,
        expression.value,
        ...(expression.otherwise === null ? [] : [expression.otherwise]),
      ];
    case 'filter':
      return [expression.target, ...expression.args.positional, ...Object.values(expression.args.named)];
  }
}
