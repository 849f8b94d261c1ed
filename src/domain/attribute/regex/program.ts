import {regexProgramStepsMax} from '../limits.ts';
import type {CharSet} from './char-set.ts';
import {type Edge, type Pattern, RegexProblem} from './pattern.ts';

export type Step =
  | {readonly is: 'chars'; readonly set: CharSet; readonly next: number}
  | {readonly is: 'edge'; readonly edge: Edge; readonly next: number}
  | {readonly is: 'fork'; readonly next: number; readonly other: number}
  | {
      readonly is: 'look';
      readonly program: Program;
      readonly ahead: boolean;
      readonly negative: boolean;
      readonly width: number;
      readonly next: number;
    }
  | {readonly is: 'match'};

/** A nondeterministic automaton; `start` is an index into `steps`. */
export type Program = {readonly steps: readonly Step[]; readonly start: number};

type Budget = {left: number};

export function compileProgram(pattern: Pattern, budget: Budget = {left: regexProgramStepsMax}): Program {
  const steps: Step[] = [{is: 'match'}];
  const add = (step: Step): number => {
    budget.left--;
    if (budget.left < 0) {
      throw new RegexProblem(`its repetitions unfold to more than ${regexProgramStepsMax} steps`);
    }
    return steps.push(step) - 1;
  };

  const compile = (part: Pattern, next: number): number => {
    switch (part.is) {
      case 'chars':
        return add({is: 'chars', set: part.set, next});
      case 'edge':
        return add({is: 'edge', edge: part.edge, next});
      case 'sequence':
        return part.items.reduceRight((after, item) => compile(item, after), next);
      case 'choice':
        return part.options
          .map(option => compile(option, next))
          .reduceRight((other, start) => add({is: 'fork', next: start, other}));
      case 'repeat':
        return compileRepeat(part.body, part.min, part.max, next);
      case 'look':
        return add({...part, program: compileProgram(part.body, budget), next});
    }
  };

  const compileRepeat = (body: Pattern, min: number, max: number | null, next: number): number => {
    let start = max === null ? compileLoop(body, next) : next;
    for (let optional = min; optional < (max ?? min); optional++) {
      start = add({is: 'fork', next: compile(body, start), other: next});
    }
    for (let mandatory = 0; mandatory < min; mandatory++) start = compileCopy(body, start);
    return start;
  };

  // Counts toward the budget even where the body compiles to nothing, as in (){1000000}.
  const compileCopy = (body: Pattern, next: number): number => {
    budget.left--;
    const start = compile(body, next);
    if (budget.left < 0) {
      throw new RegexProblem(`its repetitions unfold to more than ${regexProgramStepsMax} steps`);
    }
    return start;
  };

  const compileLoop = (body: Pattern, next: number): number => {
    const fork = add({is: 'fork', next, other: next});
    steps[fork] = {is: 'fork', next: compile(body, fork), other: next};
    return fork;
  };

  return {start: compile(pattern, 0), steps};
}
