import {renderDepthMax, renderLengthMax, renderStepsMax} from '../limits.ts';
import {TemplateProblem} from './problem.ts';

/** The work one rendering may still do. */
export class Budget {
  #left = renderStepsMax;
  #depth = 0;

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TemplateProblem(`rendering takes more than ${renderStepsMax} steps`);
  }

  /** Goes into a value inside a value; how deep is bounded, so that no value can exhaust the stack. */
  nested<T>(action: () => T): T {
    this.#depth++;
    if (this.#depth > renderDepthMax)
      throw new TemplateProblem(`lists are nested deeper than ${renderDepthMax}`);
    const result = action();
    this.#depth--;
    return result;
  }

  /** A text about to be made: it must fit, and long texts are work. */
  spendText(length: number): void {
    if (length > renderLengthMax)
      throw new TemplateProblem(`a text grows beyond ${renderLengthMax} characters`);
    this.spend(Math.ceil(length / 100));
  }
}
