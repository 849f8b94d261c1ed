import {regexMatchStepsMax} from '../limits.ts';
import {inSet, isWord} from './char-set.ts';
import type {Edge} from './pattern.ts';
import type {Program} from './program.ts';

export type MatchOutcome = 'match' | 'no-match' | 'too-costly';

class TooCostly extends Error {}

/**
 * Whether the program matches from the start of the text.
 *
 * All states advance together, one code point at a time, so no pattern can make a match take
 * exponential time; what remains (length × states) is bounded as well.
 */
export function runProgram(program: Program, text: string): MatchOutcome {
  const codePoints = Array.from(text, char => char.codePointAt(0) as number);
  const budget = {left: regexMatchStepsMax};
  try {
    return run(program, codePoints, 0, budget) ? 'match' : 'no-match';
  } catch (error) {
    if (error instanceof TooCostly) return 'too-costly';
    throw error;
  }
}

function run(program: Program, text: readonly number[], from: number, budget: {left: number}): boolean {
  const {steps} = program;
  const seenAt = new Int32Array(steps.length).fill(-1);
  let current: number[] = [];
  const pending = [program.start];
  for (let position = from; ; position++) {
    const waiting: number[] = [];
    while (pending.length > 0) {
      const index = pending.pop() as number;
      if (seenAt[index] === position) continue;
      seenAt[index] = position;
      budget.left--;
      if (budget.left < 0) throw new TooCostly();
      const step = steps[index]!;
      switch (step.is) {
        case 'match':
          return true;
        case 'chars':
          waiting.push(index);
          break;
        case 'fork':
          pending.push(step.other, step.next);
          break;
        case 'edge':
          if (isAtEdge(step.edge, text, position)) pending.push(step.next);
          break;
        case 'look': {
          const start = position - step.width;
          const found = start >= 0 && run(step.program, text, start, budget);
          if (found !== step.negative) pending.push(step.next);
          break;
        }
      }
    }
    current = waiting;
    const codePoint = text[position];
    if (codePoint === undefined || current.length === 0) return false;
    for (const index of current) {
      const step = steps[index]!;
      if (step.is === 'chars' && inSet(step.set, codePoint)) pending.push(step.next);
    }
  }
}

/** `$` is the very end: Python would let one line feed follow, which only ever surprises. */
function isAtEdge(edge: Edge, text: readonly number[], position: number): boolean {
  switch (edge) {
    case 'start':
      return position === 0;
    case 'end':
      return position === text.length;
    case 'line-start':
      return position === 0 || text[position - 1] === 10;
    case 'line-end':
      return position === text.length || text[position] === 10;
    case 'word':
      return isWord(text[position - 1]) !== isWord(text[position]);
    case 'not-word':
      return text.length > 0 && isWord(text[position - 1]) === isWord(text[position]);
  }
}
