import {templateDepthMax} from '../limits.ts';
import {TemplateProblem} from './problem.ts';
import type {Token} from './token.ts';

/** The tokens of one tag, read from left to right. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#position + ahead];
  }

  take(): Token {
    const token = this.#tokens[this.#position++];
    if (token === undefined) throw new TemplateProblem('a tag ends where an expression is expected');
    return token;
  }

  isName(name: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.is === 'name' && token.name === name;
  }

  isOperator(operator: string): boolean {
    const token = this.peek();
    return token?.is === 'operator' && token.operator === operator;
  }

  skipName(name: string): boolean {
    if (!this.isName(name)) return false;
    this.#position++;
    return true;
  }

  skipOperator(operator: string): boolean {
    if (!this.isOperator(operator)) return false;
    this.#position++;
    return true;
  }

  expectOperator(operator: string): void {
    if (!this.skipOperator(operator))
      throw new TemplateProblem(`${operator} is expected, not ${this.shownNext()}`);
  }

  expectName(what: string): string {
    const token = this.take();
    if (token.is !== 'name') throw new TemplateProblem(`${what} is expected, not ${shownToken(token)}`);
    return token.name;
  }

  expectEnd(): void {
    if (this.isOperator(',')) throw new TemplateProblem('tuples are not supported; write a list in [ ]');
    if (this.peek() !== undefined) throw new TemplateProblem(`${this.shownNext()} is unexpected`);
  }

  shownNext(): string {
    const token = this.peek();
    return token === undefined ? 'the end of the tag' : shownToken(token);
  }

  /** Reads something inside something else; how deep that goes is bounded. */
  nested<T>(read: () => T): T {
    this.#depth++;
    if (this.#depth > templateDepthMax) {
      throw new TemplateProblem(`an expression is nested deeper than ${templateDepthMax}`);
    }
    const result = read();
    this.#depth--;
    return result;
  }
}

function shownToken(token: Token): string {
  switch (token.is) {
    case 'name':
      return token.name;
    case 'operator':
      return token.operator;
    case 'string':
      return 'a text';
    case 'number':
      return 'a number';
  }
}
