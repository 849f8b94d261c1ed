import {PYTHON_SPACE} from '../python-space.ts';
import type {Budget} from './budget.ts';
import {type Filter, integerArgument, plain} from './filter.ts';
import {TemplateProblem} from './problem.ts';
import {capitalize} from './python-case.ts';
import {pythonText} from './python-text.ts';
import {defined, typeName, type Value} from './value.ts';

export const upper = onText(text => text.toUpperCase());

export const lower = onText(text => text.toLowerCase());

export const capitalized = onText(capitalize);

export const string = onText(text => text);

const WORD_BEGINNINGS = new RegExp(`((?:[-({[<]|${PYTHON_SPACE})+)`, 'u');

export const title = onText(text => text.split(WORD_BEGINNINGS).map(titleWord).join(''));

function titleWord(word: string): string {
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length).toLowerCase();
}

export const trim: Filter = {
  parameters: ['chars'],
  required: 0,
  apply: (value, [chars = null], budget) => {
    const text = pythonText(value, budget);
    budget.spendText(text.length);
    return stripped(text, defined(chars));
  },
};

const EDGE_SPACE = new RegExp(`^${PYTHON_SPACE}+|${PYTHON_SPACE}+$`, 'gu');

export function stripped(text: string, chars: Value = null): string {
  if (chars === null) return text.replace(EDGE_SPACE, '');
  if (typeof chars !== 'string') throw new TemplateProblem(`trim needs a text, not ${typeName(chars)}`);
  const unwanted = new Set(chars);
  const all = Array.from(text);
  const start = all.findIndex(char => !unwanted.has(char));
  const end = all.findLastIndex(char => !unwanted.has(char));
  return start === -1 ? '' : all.slice(start, end + 1).join('');
}

export const replace: Filter = {
  parameters: ['old', 'new', 'count'],
  required: 2,
  apply: (value, [before, after, count], budget) => {
    const text = pythonText(value, budget);
    const times = count === null ? -1 : integerArgument(count, -1);
    return replaced(
      text,
      pythonText(before as Value, budget),
      pythonText(after as Value, budget),
      times,
      budget,
    );
  },
};

/** An empty text is found before every character and at the end; a negative count means everywhere. */
function replaced(text: string, before: string, after: string, count: number, budget: Budget): string {
  budget.spendText(text.length);
  const pieces = before === '' ? ['', ...text, ''] : text.split(before);
  const times = count < 0 ? pieces.length - 1 : Math.min(count, pieces.length - 1);
  budget.spendText(text.length + times * Math.max(0, after.length - before.length));
  if (before !== '') return [...pieces.slice(0, times), pieces.slice(times).join(before)].join(after);
  return pieces.map((piece, index) => (index > 0 && index <= times ? after : '') + piece).join('');
}

function onText(apply: (text: string) => string): Filter {
  return plain((value, budget) => {
    const text = pythonText(value, budget);
    const result = apply(text);
    budget.spendText(result.length);
    return result;
  });
}
