import {largeValueBytesMax} from '../limits.ts';
import {utf8Length} from '../utf8.ts';
import {accept, type Checked, refuse, typeName} from './checked.ts';
import {textProblem} from './text.ts';

export function checkTextArea(value: unknown): Checked {
  if (typeof value !== 'string') return refuse(`must be a text, not ${typeName(value)}`);
  const problem = textProblem(value);
  if (problem !== null) return refuse(problem);
  const bytes = utf8Length(value);
  if (bytes > largeValueBytesMax) {
    return refuse(`must take at most ${largeValueBytesMax} bytes as UTF-8, it takes ${bytes}`);
  }
  return accept(value);
}
