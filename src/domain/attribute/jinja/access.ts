import {TemplateProblem} from './problem.ts';
import {defined, isDict, isList, Loop, numeric, present, typeName, Undefined, type Value} from './value.ts';

/** What Python's own types answer to after a dot; a template that reaches for one would call a method. */
const METHODS: Readonly<Record<string, ReadonlySet<string>>> = {
  str: words(`capitalize casefold center count encode endswith expandtabs find format format_map index isalnum
    isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust
    lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip
    split splitlines startswith strip swapcase title translate upper zfill`),
  int: words(
    'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes',
  ),
  float: words('as_integer_ratio conjugate from_number fromhex hex imag is_integer real'),
  list: words('append clear copy count extend index insert pop remove reverse sort'),
  dict: words('clear copy fromkeys get items keys pop popitem setdefault update values'),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** `value.name`: a method of the type comes before a key of that name, so those keys need `['name']`. */
export function attributeOf(value: Value, name: string): Value {
  const target = present(value);
  if (target instanceof Loop) return loopAttribute(target, name);
  refuseMethod(target, name, `the attribute ${name} of a value of type ${typeName(target)} is not supported`);
  if (isDict(target) && Object.hasOwn(target, name)) return target[name] as Value;
  return missing(target, name);
}

/** `value[key]`. */
export function itemOf(value: Value, key: Value): Value {
  const target = present(value);
  const used = defined(key);
  if (target instanceof Loop) throw new TemplateProblem('loop has attributes, not items');
  if (typeof used === 'string') {
    if (isDict(target) && Object.hasOwn(target, used)) return target[used] as Value;
    refuseMethod(target, used, `the item ${used} of a value of type ${typeName(target)} is not supported`);
    return missing(target, used);
  }
  const index = numeric(used);
  if (index === null || index.float) return missing(target, typeName(used));
  const items = typeof target === 'string' ? Array.from(target) : isList(target) ? target : [];
  const found = items.at(index.number);
  return found === undefined ? missing(target, String(index.number)) : found;
}

function refuseMethod(target: Value, name: string, problem: string): void {
  const type = typeof target === 'boolean' ? 'int' : typeName(target);
  if (METHODS[type]?.has(name) === true || /^__.*__$/.test(name)) throw new TemplateProblem(problem);
}

function missing(target: Value, name: string): Undefined {
  return new Undefined(`a value of type ${typeName(target)} has no ${name}`);
}

function loopAttribute(loop: Loop, name: string): Value {
  switch (name) {
    case 'index':
      return loop.index0 + 1;
    case 'index0':
      return loop.index0;
    case 'revindex':
      return loop.length - loop.index0;
    case 'revindex0':
      return loop.length - loop.index0 - 1;
    case 'first':
      return loop.index0 === 0;
    case 'last':
      return loop.index0 === loop.length - 1;
    case 'length':
      return loop.length;
    default:
      throw new TemplateProblem(`loop.${name} is not supported`);
  }
}
