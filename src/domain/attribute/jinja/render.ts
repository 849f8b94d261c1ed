import type {Json} from '../../../base/json.ts';
import {renderLengthMax} from '../limits.ts';
import {Budget} from './budget.ts';
import {evaluate, type Scope} from './evaluate.ts';
import {TemplateProblem} from './problem.ts';
import {pythonText} from './python-text.ts';
import type {Statement} from './syntax.ts';
import {iterate, Loop, truth, Undefined, type Value} from './value.ts';

/** Names assigned in the template itself, or in one turn of a loop, before those around it. */
class Names {
  readonly #own = new Map<string, Value>();
  readonly #outer: (name: string) => Value;

  constructor(outer: (name: string) => Value) {
    this.#outer = outer;
  }

  readonly lookUp = (name: string): Value =>
    this.#own.has(name) ? (this.#own.get(name) as Value) : this.#outer(name);

  set(name: string, value: Value): void {
    this.#own.set(name, value);
  }
}

class Output {
  readonly #parts: string[] = [];
  #length = 0;

  add(text: string): void {
    this.#length += text.length;
    if (this.#length > renderLengthMax) {
      throw new TemplateProblem(`the rendered text is longer than ${renderLengthMax} characters`);
    }
    this.#parts.push(text);
  }

  get text(): string {
    return this.#parts.join('');
  }
}

type Rendering = {readonly budget: Budget; readonly output: Output};

export function render(statements: readonly Statement[], variables: Readonly<Record<string, Json>>): string {
  const names = new Names(name =>
    Object.hasOwn(variables, name) ? (variables[name] as Json) : new Undefined(`${name} is undefined`),
  );
  const output = new Output();
  renderAll(statements, names, {budget: new Budget(), output});
  return output.text;
}

function renderAll(statements: readonly Statement[], names: Names, rendering: Rendering): void {
  for (const statement of statements) renderOne(statement, names, rendering);
}

function renderOne(statement: Statement, names: Names, rendering: Rendering): void {
  const {budget, output} = rendering;
  const scope: Scope = {lookUp: names.lookUp, budget};
  budget.spend(1);
  switch (statement.is) {
    case 'text':
      output.add(statement.text);
      break;
    case 'output':
      output.add(pythonText(evaluate(statement.expression, scope), budget));
      break;
    case 'set':
      names.set(statement.name, evaluate(statement.value, scope));
      break;
    case 'if': {
      const branch = statement.branches.find(({test}) => truth(evaluate(test, scope)));
      renderAll(branch?.body ?? statement.otherwise, names, rendering);
      break;
    }
    case 'for':
      renderFor(statement, names, rendering);
  }
}

function renderFor(statement: Extract<Statement, {is: 'for'}>, names: Names, rendering: Rendering): void {
  const {budget} = rendering;
  const scope: Scope = {lookUp: names.lookUp, budget};
  const items = iterate(evaluate(statement.items, scope)).filter(item => {
    budget.spend(1);
    if (statement.filter === null) return true;
    const inside = new Names(names.lookUp);
    inside.set(statement.variable, item);
    return truth(evaluate(statement.filter, {lookUp: inside.lookUp, budget}));
  });
  for (const [index, item] of items.entries()) {
    const inside = new Names(names.lookUp);
    inside.set('loop', new Loop(index, items.length));
    inside.set(statement.variable, item);
    renderAll(statement.body, inside, rendering);
  }
  if (items.length === 0) renderAll(statement.otherwise, new Names(names.lookUp), rendering);
}
