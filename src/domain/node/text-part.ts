import type {Json} from '../../base/json.ts';
import type {AttributeKind} from '../attribute/kinds.ts';
import type {AttributeSchema} from '../schema/schema.ts';
import {storedForm} from './stored-form.ts';

const NUMBERS: ReadonlySet<AttributeKind> = new Set(['Number', 'Bandwidth', 'NumberPool']);
const BOOLEANS: ReadonlySet<AttributeKind> = new Set(['Boolean', 'Checkbox']);
const STRUCTURED: ReadonlySet<AttributeKind> = new Set(['List', 'JSON', 'Any']);

/** The text of a value inside a human-friendly id. */
export function partText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The stored value that a part of a human-friendly id stands for; `undefined` when no value reads so. */
export function partValue(attribute: AttributeSchema, property: string, text: string): Json | undefined {
  if (property !== 'value') return property === 'binary_address' ? text : wholeNumber(text);
  const given = readText(attribute.kind, text);
  return given === undefined ? undefined : storedForm(attribute.kind, given);
}

function readText(kind: AttributeKind, text: string): Json | undefined {
  if (NUMBERS.has(kind)) return wholeNumber(text);
  if (BOOLEANS.has(kind)) {
    const lower = text.toLowerCase();
    return lower === 'true' ? true : lower === 'false' ? false : undefined;
  }
  return STRUCTURED.has(kind) ? structured(text) : text;
}

const wholeNumber = (text: string): number | undefined => (/^-?\d+$/.test(text) ? Number(text) : undefined);

function structured(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
