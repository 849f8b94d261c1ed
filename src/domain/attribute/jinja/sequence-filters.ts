import {codePointCount} from '../kinds/text.ts';
import type {Budget} from './budget.ts';
import {type Filter, plain} from './filter.ts';
import {equal, order} from './operators.ts';
import {TemplateProblem} from './problem.ts';
import {pythonText} from './python-text.ts';
import {
  defined,
  isDict,
  isList,
  iterate,
  numeric,
  OneShot,
  truth,
  typeName,
  Undefined,
  type Value,
} from './value.ts';

export const length = plain(value => {
  if (typeof value === 'string') return codePointCount(value);
  if (isList(value)) return value.length;
  if (isDict(value)) return Object.keys(value).length;
  if (value instanceof Undefined) return 0;
  throw new TemplateProblem(`a value of type ${typeName(value)} has no length`);
});

export const first = plain((value, budget) => {
  const items = iterated(value, budget);
  return items.length > 0 ? (items[0] as Value) : new Undefined('an empty sequence has no first item');
});

export const last = plain((value, budget) => {
  if (value instanceof OneShot) throw new TemplateProblem('last needs a list: add |list before it');
  const items = iterated(value, budget);
  return items.length > 0 ? (items.at(-1) as Value) : new Undefined('an empty sequence has no last item');
});

export const list = plain((value, budget) => [...iterated(value, budget)]);

/** Of a text the text backward; of a list an iterator, but of an iterator a list: as Jinja2 has it. */
export const reverse = plain((value, budget) => {
  const backward = [...iterated(value, budget)].reverse();
  if (typeof value === 'string') return backward.join('');
  return value instanceof OneShot ? backward : new OneShot(() => backward);
});

export const join: Filter = {
  parameters: ['d'],
  required: 0,
  apply: (value, [separator = ''], budget) => {
    const between = pythonText(separator, budget);
    const texts = iterated(value, budget).map(item => pythonText(item, budget));
    budget.spendText(texts.reduce((sum, text) => sum + text.length + between.length, 0));
    return texts.join(between);
  },
};

export const sort: Filter = {
  parameters: ['reverse', 'case_sensitive'],
  required: 0,
  apply: (value, [reversed = false, caseSensitive = false], budget) => {
    if (typeof reversed !== 'boolean') throw new TemplateProblem('sort needs true or false for reverse');
    const direction = reversed ? -1 : 1;
    const isExact = truth(caseSensitive);
    return iterated(value, budget)
      .map(item => ({item, key: isExact ? item : withoutCase(item)}))
      .sort((a, b) => direction * sortOrder(a.key, b.key, budget))
      .map(({item}) => item);
  },
};

function sortOrder(a: Value, b: Value, budget: Budget): number {
  if (equal(a, b, budget)) return 0;
  const result = order(a, b, '<', budget);
  if (Number.isNaN(result)) throw new TemplateProblem('sort cannot place a value that is not a number');
  return result;
}

export const unique: Filter = {
  parameters: ['case_sensitive'],
  required: 0,
  apply: (value, [caseSensitive = false], budget) => {
    return new OneShot(() => withoutRepeats(iterated(value, budget), truth(caseSensitive)));
  },
};

function withoutRepeats(items: readonly Value[], isExact: boolean): readonly Value[] {
  const kept = new Map<string, Value>();
  for (const item of items) {
    const key = hashKey(isExact ? item : withoutCase(item));
    if (!kept.has(key)) kept.set(key, item);
  }
  return [...kept.values()];
}

function withoutCase(value: Value): Value {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** Equal for values that Python takes for the same key: 1, 1.0 and True. */
function hashKey(value: Value): string {
  if (value === null) return 'none';
  if (typeof value === 'string') return `text ${value}`;
  const number = numeric(value);
  if (number === null) throw new TemplateProblem(`unique cannot compare values of type ${typeName(value)}`);
  return `number ${number.number === 0 ? 0 : number.number}`;
}

function iterated(value: Value, budget: Budget): readonly Value[] {
  const items = iterate(defined(value));
  budget.spend(items.length);
  return items;
}
